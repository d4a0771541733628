/**
 * Ten shades per colour from OKLCH with equal lightness per step in every hue: shade 7 carries white text
 * (5.7:1 or more) whatever the colour.
 */
export const palette = {
  primary: [
    '#eefafb',
    '#dbf2f3',
    '#bce5e7',
    '#92d1d5',
    '#65bbc0',
    '#37a2a8',
    '#10898f',
    '#007176',
    '#005a5e',
    '#004245',
  ],
  secondary: [
    '#f5f8f9',
    '#e9eef0',
    '#d5dde2',
    '#bac6cd',
    '#9fadb6',
    '#83939d',
    '#6c7b85',
    '#57666f',
    '#445058',
    '#313b41',
  ],
  accent: [
    '#fff3ff',
    '#fbe4fc',
    '#f3cdf5',
    '#e6ade9',
    '#d58dd9',
    '#be6dc3',
    '#a455a9',
    '#8a418f',
    '#6f3174',
    '#532257',
  ],
  info: ['#f3f8ff', '#e1eeff', '#c5deff', '#9dc7fe', '#6dadff', '#4892ed', '#2e79d2', '#1a62b4', '#0d4d93', '#053870'],
  success: [
    '#effbf2',
    '#ddf4e3',
    '#bfe7cc',
    '#98d5ac',
    '#6ebf8c',
    '#46a76e',
    '#298e57',
    '#0f7644',
    '#005f34',
    '#014625',
  ],
  warning: [
    '#fff6ec',
    '#fce9d5',
    '#f5d6b2',
    '#e9ba85',
    '#d99d55',
    '#c38123',
    '#a66a08',
    '#8a5600',
    '#6e4400',
    '#523100',
  ],
  error: ['#fff5f4', '#ffe6e4', '#fecfca', '#feaba4', '#fd8078', '#e85c57', '#cc4240', '#ae2d2e', '#8e1e21', '#6b1215'],
  gray: ['#f9fbfb', '#f2f5f6', '#e5e9ea', '#d6dddf', '#bcc6c9', '#96a0a3', '#6b7477', '#545d5f', '#363f41', '#141c1e'],
  dark: ['#d6e0e2', '#b6c0c2', '#949da0', '#7d868a', '#32393b', '#22292b', '#181f21', '#12191a', '#0c1315', '#070d0f'],
} as const

/** The colours that mean something; gray and dark are Mantine's own neutrals. */
export const colours = ['primary', 'secondary', 'accent', 'info', 'success', 'warning', 'error'] as const
export type Colour = (typeof colours)[number]
