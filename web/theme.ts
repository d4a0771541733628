import {
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core'
import { palette } from './palette.ts'
import { components } from './themeComponents.ts'

/** The design tokens. */
const options: MantineThemeOverride = {
  // each entry is a ten-tuple, which Mantine types as mutable
  colors: palette as unknown as Record<string, MantineColorsTuple>,
  primaryColor: 'primary',
  primaryShade: 7,
  black: '#141c1e',
  fontFamily: "'Geist Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.5', lg: '1.5', xl: '1.4' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '16px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  shadows: {
    xs: '0 1px 1px rgb(13 30 34 / .05)',
    sm: '0 1px 2px rgb(13 30 34 / .08)',
    md: '0 4px 14px -2px rgb(13 30 34 / .14), 0 1px 3px rgb(13 30 34 / .08)',
    lg: '0 14px 34px -8px rgb(13 30 34 / .22), 0 2px 6px rgb(13 30 34 / .08)',
    xl: '0 26px 60px -14px rgb(13 30 34 / .34)',
  },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.3' },
      h2: { fontSize: '0.9375rem', lineHeight: '1.4' },
      h3: { fontSize: '0.8125rem', lineHeight: '1.4' },
    },
  },
  variantColorResolver: (input) => {
    const resolved = defaultVariantColorsResolver(input)
    if (input.variant !== 'default') return resolved
    // a default button has a hairline border and the colour of the sheet
    return { ...resolved, background: 'var(--ink-raised)', border: '1px solid var(--ink-line-strong)' }
  },
  components,
}

export const theme = createTheme(options)
