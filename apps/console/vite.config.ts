/** How the console is built: one folder of hashed files below `/console/`, a chunk per page, nothing inline. */
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'

export default {
  base: '/console/',
  plugins: [react(), tailwind()],
  build: {
    target: 'es2024',
    // Small files stay files: the policy of the page allows no inline script or style.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    reportCompressedSize: false,
  },
}
