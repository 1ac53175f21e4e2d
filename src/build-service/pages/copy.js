/* Makes every copy button copy the text before it. Without this script, the buttons stay hidden and the user can select the text. */
for (const button of document.querySelectorAll('button[data-copy]')) {
  const { previousElementSibling: text, nextElementSibling: status } = button;
  button.hidden = false;
  button.addEventListener('click', async () => {
    status.textContent = '';
    try {
      await navigator.clipboard.writeText(text.textContent);
      status.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(text);
      status.textContent = 'Selected: press Ctrl+C or ⌘C';
    }
  });
}
