import { withOtherName } from './nameInText.ts'

/** Where WordPress begins its work: all that its configuration says has been said. */
const begins = /^(?=[ \t]*require(?:_once)?\b[^\r\n]*wp-settings\.php)/m
const saysItself = /WP_HOME|WP_SITEURL|MULTISITE/

/**
 * A file of a website, by its way from the website's folder, with another name of that in it. WordPress keeps its address in
 * its database and sends whoever asks for another name there: a configuration that says nothing of it says it from then on,
 * which goes before what the database has, and a merge or a dump of that carries no address along.
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

/** By the scheme that a visitor came with, and below the folder that WordPress is in. */
function statement(domain: string, file: string): string {
  const folder = file.replace(/^public\//, '').replace(/\/?wp-config\.php$/, '')
  const path = /^[A-Za-z0-9._/-]*$/.test(folder) && folder ? `/${folder}` : ''
  const scheme = `( empty( $_SERVER['HTTPS'] ) || $_SERVER['HTTPS'] === 'off' ? 'http' : 'https' )`
  return `define( 'WP_HOME', ${scheme} . '://${domain}${path}' ); define( 'WP_SITEURL', WP_HOME ); `
}
