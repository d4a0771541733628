import react from '@vitejs/plugin-react'
import mantinePostcss from 'postcss-preset-mantine'
import { defineConfig } from 'vite'

const server = `http://127.0.0.1:${process.env.PORT ?? 4400}`

const mantine = (...names: string[]) => `/@mantine/core/esm/components/(${names.join('|')})/`
const kit = (...names: string[]) => `/web/kit/\\w+/(${names.join('|')})\\.tsx?$`
const screens = (...names: string[]) => new RegExp(`/web/(${names.join('|')})\\.tsx$`)
const oneOf = (...parts: string[]) => new RegExp(parts.join('|'))

/**
 * What is always needed together comes as one file: each of its own costs half a kilobyte of headers, a request (six go at
 * once), and what the smaller ones say again. Earlier ones take first; what they import goes along.
 */
const groups = [
  // so that zod is told before any contract makes its first schema
  { name: 'zod', test: /node_modules\/zod\/|\/web\/jitless\.ts$/ },
  { name: 'base', test: screens('main', 'login/LoginScreen') }, // of signing in, and so of every page
  {
    name: 'app', // libraries of every page behind the sign-in
    test: oneOf(
      '/node_modules/@(tanstack|floating-ui)/',
      mantine('Anchor', 'Badge', 'Collapse', 'Drawer', 'FocusTrap', 'Kbd', 'Menu', 'Modal', 'ModalBase', 'Overlay'),
      mantine('Popover', 'Portal', 'Progress', 'ScrollArea', 'Tooltip', 'VisuallyHidden'),
    ),
  },
  {
    name: 'list', // of every list
    test: oneOf(
      kit('BulkModal', 'bulk', 'columns', 'CreateButton', 'csv', 'FilterBar', 'FilterOptions', 'ListFooter'),
      kit('listState', 'ListTable', 'ListTools', 'MenuAction', 'NameCell', 'RowCard', 'savedViews', 'SkeletonRows'),
      kit('useList', 'Views', 'When'),
    ),
  },
  { name: 'shell', test: screens('App', 'shell/Shell') }, // what is around it
  // what many screens have, and not all
  { name: 'icons', test: /\/@tabler\/icons-react\/dist\/esm\/icons\//, minShareCount: 4 },
  { name: 'kit', test: /\/web\/kit\/|@mantine/, minShareCount: 50 },
  { name: 'words', test: /\/contract\/|\/web\/\w+\/(api|words|filters)\.ts$/, minShareCount: 30 },
].map((group, n, { length }) => ({ ...group, priority: length - n }))

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  css: { postcss: { plugins: [mantinePostcss()] } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // a font in a data: address would need more than `default-src 'self'`
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
    proxy: { '/api': server, '/ws': { target: server.replace('http', 'ws'), ws: true } },
  },
})
