import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** The files of the repository that a file imports, types included. */
export function importsOf(file: string, text: string): string[] {
  const specifiers = [...text.matchAll(/(?:from|import|import\() ?'([^']+)'/g)].map(([, specifier = '']) => specifier)
  return specifiers.flatMap((specifier) => {
    if (specifier.startsWith('.')) return [normalize(join(dirname(file), specifier))]
    const own = /^@innkeeper\/(.+)$/.exec(specifier)?.[1]
    return own ? [/\.tsx?$/.test(own) ? own : `${own}.ts`] : []
  })
}

/** Everything that a domain or file reaches over imports. */
export function reach(imports: Pick<ReadonlyMap<string, Iterable<string>>, 'get'>, from: string): Set<string> {
  const found = new Set<string>()
  const left = [from]
  for (let one = left.pop(); one !== undefined; one = left.pop())
    for (const next of imports.get(one) ?? [])
      if (!found.has(next)) {
        found.add(next)
        left.push(next)
      }
  return found
}

const read = new Map<string, string[]>()
const types = /^import type [^']*'[^']+'/gm
/** The files that a file loads, each read when it is asked for. */
export const loads = {
  get(file: string): string[] {
    let own = read.get(file)
    if (!own) {
      own = existsSync(file) ? importsOf(file, readFileSync(file, 'utf8').replace(types, '')) : []
      read.set(file, own)
    }
    return own
  },
}
