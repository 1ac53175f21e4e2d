/*
 * Reports to the panel around this page: the app's first uncaught error, and whether the app shows nothing. It listens in the app's window,
 * so the app's files stay unchanged.
 */
(function () {
  const BLANK_MS = 5000;
  const MAX_LENGTH = 4000;
  const DRAWN =
    'img, svg, canvas, video, audio, iframe, object, embed, input, button, select, textarea, progress, meter, hr';

  function isDrawn(element) {
    const { width, height } = element.getBoundingClientRect();
    const view = element.ownerDocument.defaultView;
    const style = view.getComputedStyle(element);
    return (
      width * height > 0 &&
      style.visibility === 'visible' &&
      (element.matches(DRAWN) ||
        // The content of a closed shadow root can't be read.
        element.shadowRoot !== null ||
        view.customElements.get(element.localName) !== undefined ||
        style.backgroundImage !== 'none' ||
        !/^rgba\(.*, 0\)$/.test(style.backgroundColor) ||
        style.boxShadow !== 'none' ||
        parseFloat(style.borderTopWidth) > 0 ||
        ['::before', '::after'].some((name) => view.getComputedStyle(element, name).content !== 'none'))
    );
  }

  function watch(frame) {
    const report = { error: undefined, isBlank: false };
    let timer;
    const send = (change) => frame.isConnected && parent.postMessage(Object.assign(report, change), '*');

    function fail(event, message, place) {
      // The app may handle the error in a later listener.
      setTimeout(() => {
        if (!event.defaultPrevented && report.error === undefined && !message.startsWith('ResizeObserver loop')) {
          send({ error: { message: message.slice(0, MAX_LENGTH), place: place.slice(0, MAX_LENGTH) } });
        }
      });
    }

    function listen() {
      try {
        const app = frame.contentWindow;
        app.addEventListener('error', (event) =>
          fail(event, String(event.message), [event.filename, event.lineno, event.colno].join(':')),
        );
        app.addEventListener('unhandledrejection', (event) => {
          const { reason } = event;
          fail(event, String(reason?.stack ? reason : (reason?.message ?? reason)), String(reason?.stack ?? ''));
        });
        // Before its scripts run, the next page gets its own window.
        app.addEventListener('pagehide', () => setTimeout(listen));
      } catch {
        // The frame shows another website.
      }
    }

    function check() {
      if (document.hidden) {
        return;
      }
      const body = frame.contentDocument?.body;
      const isBlank =
        Boolean(body) && body.innerText.trim() === '' && ![...body.querySelectorAll('*')].some((each) => isDrawn(each));
      if (isBlank !== report.isBlank) {
        send({ isBlank });
      }
      if (!isBlank) {
        clearInterval(timer);
      }
    }

    listen();
    frame.addEventListener('load', () => {
      clearInterval(timer);
      timer = setInterval(check, BLANK_MS);
    });
  }

  const start = () => watch(document.querySelector('iframe'));
  // A new build gets a new frame.
  new MutationObserver(start).observe(document.body, { childList: true });
  start();
})();
