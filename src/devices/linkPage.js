/* Shows what phones have done with the link. The extension sends the latest whenever this page is loaded. */
addEventListener('message', ({ data }) => {
  const status = document.getElementById('status');
  status.className = data.state;
  status.textContent = data.text;
});
acquireVsCodeApi().postMessage('ready');
