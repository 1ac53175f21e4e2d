/* Shows how phones have used the link. The extension sends the latest status whenever this page is loaded. */
addEventListener('message', ({ data }) => {
  const status = document.getElementById('status');
  status.className = data.state;
  status.textContent = data.text;
});
acquireVsCodeApi().postMessage('ready');
