/** Texts of the settings page in English. */
export const en = {
  title: 'Settings',
  appearance: 'Appearance',
  theme: 'Theme',
  language: 'Language',
  storedHere: 'Kept in this browser.',
}
