import { createTheme, DEFAULT_THEME, mergeMantineTheme } from '@mantine/core'
import { expect, test } from 'vitest'
import { cssVariablesResolver } from './variables.ts'

test.each(['light', 'dark'] as const)('a disabled button is seen as one on pages and in dialogs, %s', (scheme) => {
  const colours: Record<string, string> = cssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, createTheme({})))[
    scheme
  ]
  const disabled = colours['--mantine-color-disabled']
  expect(disabled).toMatch(/^#/)
  for (const place of ['--ink-sheet', '--ink-raised', '--ink-canvas']) expect(colours[place]).not.toBe(disabled)
})
