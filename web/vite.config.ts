import react from '@vitejs/plugin-react'
import mantinePostcss from 'postcss-preset-mantine'
import { defineConfig } from 'vite'

const server = `http://127.0.0.1:${process.env.PORT ?? 4400}`

const mantine = (...names: string[]) => `/@mantine/core/esm/components/(${names.join('|')})/`
const kit = (...names: string[]) => `/web/kit/\\w+/(${names.join('|')})\\.tsx?$`
const screens = (...names: string[]) => new RegExp(`/web/(${names.join('|')})\\.tsx$`)
const oneOf = (...parts: string[]) => new RegExp(parts.join('|'))

/**
 * Bundles code that pages always load together: each separate file costs half a kilobyte of headers, a request
 * (browsers make six at once) and repeated code. Earlier groups take modules first, with their imports.
 */
const groups = [
  // zod must be configured before any contract creates a schema
  { name: 'zod', test: /node_modules\/zod\/|\/web\/jitless\.ts$/ },
  { name: 'base', test: screens('main', 'access/auth/LoginScreen') }, // the sign-in page, and so every page
  {
    name: 'app', // libraries of all pages behind the sign-in
    test: oneOf(
      '/node_modules/@(tanstack|floating-ui)/',
      mantine('Anchor', 'Badge', 'Collapse', 'Drawer', 'FocusTrap', 'Kbd', 'Menu', 'Modal', 'ModalBase', 'Overlay'),
      mantine('Popover', 'Portal', 'Progress', 'ScrollArea', 'Tooltip', 'VisuallyHidden'),
      kit('Dialog', 'focusFirstField'),
    ),
  },
  {
    name: 'list', // all lists
    test: oneOf(
      kit('BulkModal', 'bulk', 'columns', 'CreateButton', 'csv', 'FilterBar', 'FilterOptions', 'ListFooter'),
      kit('listState', 'ListTable', 'ListTools', 'MenuAction', 'NameCell', 'RowCard', 'savedViews', 'SkeletonRows'),
      kit('useList', 'Views', 'When'),
    ),
  },
  { name: 'shell', test: screens('App', 'shell/Shell') }, // the shell around the pages
  // code of many screens, but not all
  { name: 'icons', test: /\/@tabler\/icons-react\/dist\/esm\/icons\//, minShareCount: 4 },
  { name: 'kit', test: /\/web\/kit\/|@mantine/, minShareCount: 100 },
  { name: 'words', test: /\/contract\/|\/web\/\w+\/\w+\/(api|words|filters)\.ts$/, minShareCount: 60 },
].map((group, n, { length }) => ({ ...group, priority: length - n }))

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  css: { postcss: { plugins: [mantinePostcss()] } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // a font in a data: URL would violate `default-src 'self'`
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: { groups },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    // the server compares Origin with Host, so the proxy keeps Host; a string as target would change it
    proxy: { '/api': { target: server }, '/ws': { target: server.replace('http', 'ws'), ws: true } },
  },
})
