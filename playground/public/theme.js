// Runs before the page is drawn, so that it never flashes in the other colours.
try {
  const theme = localStorage.getItem("inlay.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // The browser keeps nothing; the system's colours are used.
}
