// Runs before everything else, so that nothing flashes and nothing asks for what the page's policy forbids.
try {
  const theme = localStorage.getItem('runbound-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Without storage the system decides.
}
// The schemas of the API would try `new Function`, which the policy refuses aloud.
globalThis.__zod_globalConfig = { jitless: true }
