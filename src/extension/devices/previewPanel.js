/*
 * The buttons around a preview's frame. The page in the frame has another origin and isn't trusted: its messages can only report problems of
 * the app.
 */
(function () {
  const host = acquireVsCodeApi();
  /** CSS pixels of common devices. Undefined: the whole panel. */
  const SIZES = { phone: [360, 740], tablet: [768, 1024], full: undefined };
  const MARGIN = 12;
  const frame = document.querySelector('iframe');
  const area = document.querySelector('main');
  const buttons = [...document.querySelectorAll('button')];
  /** At most one report per pause is sent, however many the page sends. */
  const REPORT_PAUSE_MS = 100;
  const MAX_LENGTH = 4000;
  let report;
  let timer;
  /** Until the user chooses, the app follows the theme. */
  const state = Object.assign({ size: 'phone', isRotated: false, isDark: undefined }, host.getState());

  function isDark() {
    const { classList } = document.body;
    const isDarkTheme = ['vscode-dark', 'vscode-high-contrast'].some((name) => classList.contains(name));
    return state.isDark ?? (isDarkTheme && !classList.contains('vscode-high-contrast-light'));
  }

  function press(name, isPressed) {
    document.querySelector('[data-set="' + name + '"]').setAttribute('aria-pressed', String(isPressed));
  }

  function draw() {
    Object.keys(SIZES).forEach((name) => press(name, state.size === name));
    press('dark', isDark());
    const size = SIZES[state.size];
    const rotate = document.querySelector('[data-set="rotate"]');
    rotate.disabled = !size;
    rotate.setAttribute('aria-pressed', String(Boolean(size) && state.isRotated));
    frame.classList.toggle('device', Boolean(size));
    frame.style.colorScheme = isDark() ? 'dark' : 'light';
    const [width, height] = size
      ? state.isRotated
        ? [size[1], size[0]]
        : size
      : [area.clientWidth, area.clientHeight];
    const space = size ? MARGIN : 0;
    const scale = Math.min(1, (area.clientWidth - 2 * space) / width, (area.clientHeight - 2 * space) / height);
    const left = Math.max(0, (area.clientWidth - width * scale) / 2);
    frame.style.width = width + 'px';
    frame.style.height = height + 'px';
    frame.style.transform = 'translate(' + left + 'px, ' + space + 'px) scale(' + Math.max(scale, 0.1) + ')';
    host.setState(state);
  }

  function sendReport() {
    timer = undefined;
    const { error, isBlank } = Object(report);
    const cut = (value) => String(value).slice(0, MAX_LENGTH);
    host.postMessage({
      report: {
        ...(error ? { error: { message: cut(error.message), place: cut(error.place) } } : {}),
        isBlank: isBlank === true,
      },
    });
  }

  const set = {
    rotate: () => (state.isRotated = !state.isRotated),
    dark: () => (state.isDark = !isDark()),
  };
  Object.keys(SIZES).forEach((name) => {
    set[name] = () => (state.size = name);
  });

  buttons.forEach((button) =>
    button.addEventListener('click', () => {
      if (button.dataset.say) {
        host.postMessage(button.dataset.say);
      } else {
        set[button.dataset.set]();
        draw();
      }
    }),
  );
  addEventListener('message', (event) => {
    if (event.origin === location.origin && typeof event.data === 'string') {
      document.querySelector('[role="status"]').textContent = event.data;
    } else if (event.source === frame.contentWindow) {
      report = event.data;
      timer ??= setTimeout(sendReport, REPORT_PAUSE_MS);
    }
  });
  new ResizeObserver(draw).observe(area);
  new MutationObserver(draw).observe(document.body, { attributes: true, attributeFilter: ['class'] });
  draw();
})();
