import { localeTag } from '../look/locale.ts'

let german: Readonly<Record<string, string>> = {}

/** Sets the German names of menu items and screens; called by the shell, because the kit knows no domain. */
export function stateNames(names: typeof german): void {
  german = names
}

/** The name of a menu item or of a screen in the person's language. */
export const nameOf = (english: string): string =>
  localeTag().startsWith('de') ? (german[english] ?? english) : english
