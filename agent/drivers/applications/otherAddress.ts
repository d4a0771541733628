import { withOtherName } from './nameInText.ts'

/** Where wp-config.php loads WordPress: below its own settings. */
const begins = /^(?=[ \t]*require(?:_once)?\b[^\r\n]*wp-settings\.php)/m
const saysItself = /WP_HOME|WP_SITEURL|MULTISITE/

/**
 * Replaces the website's name in one of its files; the path is relative to the website's folder. WordPress stores its
 * address in the database and redirects other names to it. If wp-config.php sets no address, this adds one, which
 * overrides the database, so that merges and dumps of the database carry no address along.
 */
export function withOtherAddress(file: string, text: string, from: string, to: string) {
  const made = withOtherName(text, from, to)
  if (!isWordPress(file) || saysItself.test(text) || !begins.test(text)) return made
  const said = made.text.replace(begins, () => statement(to, file))
  const at = said.split('\n').findIndex((line, i) => line !== made.text.split('\n')[i])
  const line = { line: at + 1, before: made.text.split('\n')[at] ?? '', after: said.split('\n')[at] ?? '' }
  return { text: said, count: made.count + 1, lines: [...made.lines, line] }
}

export const isWordPress = (file: string): boolean => /(^|\/)wp-config\.php$/.test(file)

/** The address: the scheme of the request, and the folder of WordPress. */
function statement(domain: string, file: string): string {
  const folder = file.replace(/^public\//, '').replace(/\/?wp-config\.php$/, '')
  const path = /^[A-Za-z0-9._/-]*$/.test(folder) && folder ? `/${folder}` : ''
  const scheme = `( empty( $_SERVER['HTTPS'] ) || $_SERVER['HTTPS'] === 'off' ? 'http' : 'https' )`
  return `define( 'WP_HOME', ${scheme} . '://${domain}${path}' ); define( 'WP_SITEURL', WP_HOME ); `
}
