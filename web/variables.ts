import type { CSSVariablesResolver } from '@mantine/core'
import { colours } from './palette.ts'

/** Tints: light = shade 1 with text 8; dark = 26 % of shade 7 over the sheet with text 2. */
function tints(scheme: 'light' | 'dark'): Record<string, string> {
  const entries = colours.flatMap((colour) => {
    const shade = (n: number) => `var(--mantine-color-${colour}-${n})`
    const over = (share: number) => `color-mix(in oklab, ${shade(7)} ${share}%, var(--mantine-color-dark-7))`
    const values =
      scheme === 'light'
        ? { text: shade(7), light: shade(1), 'light-hover': shade(2), 'light-color': shade(8), outline: shade(7) }
        : { text: shade(3), light: over(26), 'light-hover': over(38), 'light-color': shade(2), outline: shade(4) }
    return Object.entries(values).map(([key, value]) => [`--mantine-color-${colour}-${key}`, value])
  })
  return Object.fromEntries(entries)
}

/** Our few variables (--ink-*) and Mantine's semantic ones, each written once per scheme. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {
    '--ink-header': '48px',
    '--ink-sidebar': '236px',
    '--ink-rail': '56px',
    '--ink-control': '32px',
    '--ink-small': '26px',
    '--ink-icon': '28px',
    '--ink-input-text': '0.8125rem',
    '--ink-gutter': '20px',
  },
  light: {
    ...tints('light'),
    '--ink-canvas': '#eff3f4',
    '--ink-sheet': '#ffffff',
    '--ink-raised': '#ffffff',
    '--ink-sunken': '#f5f8f8',
    '--ink-hover': '#f3f7f7',
    '--ink-selected': '#e8f5f6',
    '--ink-line': '#e2e8e9',
    '--ink-line-strong': '#ccd5d7',
    '--ink-faint': '#667074',
    '--ink-log': '#f5f8f8',
    '--ink-bar': '#b3c1c8',
    '--mantine-color-body': 'var(--ink-sheet)',
    '--mantine-color-dimmed': '#566064',
    '--mantine-color-placeholder': '#667074',
    '--mantine-color-error': 'var(--mantine-color-error-7)',
    '--mantine-color-success': 'var(--mantine-color-success-7)',
    '--mantine-color-default-border': 'var(--ink-line-strong)',
    '--mantine-color-default-hover': 'var(--ink-hover)',
    '--mantine-color-disabled': '#f0f3f4',
    '--mantine-color-disabled-color': '#7d878a',
    '--mantine-color-disabled-border': '#e2e8e9',
  },
  dark: {
    ...tints('dark'),
    '--ink-canvas': '#0b1113',
    '--ink-sheet': '#12191b',
    '--ink-raised': '#192123',
    '--ink-sunken': '#0e1517',
    '--ink-hover': '#182022',
    '--ink-selected': '#12282b',
    '--ink-line': '#232c2f',
    '--ink-line-strong': '#364246',
    '--ink-faint': '#87929a',
    '--ink-log': '#0b1113',
    '--ink-bar': '#54646b',
    '--mantine-color-body': 'var(--ink-sheet)',
    '--mantine-color-dimmed': '#98a3a8',
    '--mantine-color-placeholder': '#87929a',
    '--mantine-color-error': 'var(--mantine-color-error-3)',
    '--mantine-color-success': 'var(--mantine-color-success-3)',
    '--mantine-color-default': 'var(--ink-raised)',
    '--mantine-color-default-border': 'var(--ink-line-strong)',
    '--mantine-color-default-hover': '#212a2d',
    '--mantine-color-default-color': 'var(--mantine-color-dark-0)',
    '--mantine-color-disabled': '#262f32',
    '--mantine-color-disabled-color': '#8a9398',
    '--mantine-color-disabled-border': '#2f393c',
  },
})
