import { withOtherName } from './nameInText.ts'

/** The line in which wp-config.php loads WordPress, below its own settings; -1 without one. */
const loading = (lines: readonly string[]) =>
  lines.findIndex((line) => /^[ \t]*require(?:_once)?\b/.test(line) && line.includes('wp-settings.php'))
const saysItself = /WP_HOME|WP_SITEURL|MULTISITE/

/**
 * Replaces the website's name in one of its files; the path is relative to the website's folder. WordPress stores its
 * address in the database and redirects other names to it. If wp-config.php sets no address, this adds one, which
 * overrides the database, so that merges and dumps of the database carry no address along.
 */
export function withOtherAddress(file: string, text: string, from: string, to: string) {
  const made = withOtherName(text, from, to)
  if (!isWordPress(file) || saysItself.test(text)) return made
  const lines = made.text.split('\n')
  const at = loading(lines)
  const before = lines[at]
  if (before === undefined) return made
  const after = statement(to, file) + before
  return {
    text: lines.with(at, after).join('\n'),
    count: made.count + 1,
    lines: [...made.lines, { line: at + 1, before, after }],
  }
}

export const isWordPress = (file: string): boolean => /(^|\/)wp-config\.php$/.test(file)

/** The address: the scheme of the request, and the folder of WordPress. */
function statement(domain: string, file: string): string {
  const folder = file.replace(/^public\//, '').replace(/\/?wp-config\.php$/, '')
  const path = /^[A-Za-z0-9._/-]*$/.test(folder) && folder ? `/${folder}` : ''
  const scheme = `( empty( $_SERVER['HTTPS'] ) || $_SERVER['HTTPS'] === 'off' ? 'http' : 'https' )`
  return `define( 'WP_HOME', ${scheme} . '://${domain}${path}' ); define( 'WP_SITEURL', WP_HOME ); `
}
