import react from '@vitejs/plugin-react'
import mantinePostcss from 'postcss-preset-mantine'
import { defineConfig } from 'vite'

const server = `http://127.0.0.1:${process.env.PORT ?? 4400}`

const mantine = (...names: string[]) => `/@mantine/core/esm/components/(${names.join('|')})/`
const kit = (...names: string[]) => `/web/kit/(${names.join('|')})\\.tsx?$`
const oneOf = (...parts: string[]) => new RegExp(parts.join('|'))

/**
 * What is always needed together comes as one file: each of its own costs half a kilobyte of headers, a request, and what
 * the smaller ones say again. Earlier ones take first; what they import goes along.
 */
const groups = [
  // so that zod is told before any contract makes its first schema
  { name: 'zod', test: /node_modules\/zod\/|\/web\/jitless\.ts$/ },
  {
    name: 'base', // of every page, that of signing in too
    test: oneOf(
      '/node_modules/(react|react-dom|scheduler)/',
      '/@mantine/core/esm/core/',
      mantine('ActionIcon', 'Alert', 'Button', 'Center', 'CloseButton', 'Group', 'Input', 'InputBase', 'Loader'),
      mantine('PasswordInput', 'Stack', 'Text', 'TextInput', 'Title', 'Transition', 'UnstyledButton'),
      kit('account', 'dialogs', 'Hosts', 'lazyScreen', 'Mono', 'owed', 'states'),
    ),
  },
  {
    name: 'app', // of every page behind the sign-in
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
  { name: 'icons', test: /\/@tabler\/icons-react\/dist\/esm\/icons\//, minShareCount: 10 },
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
