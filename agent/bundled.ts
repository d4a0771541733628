import { dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'

const suffix = '?bundled'

/**
 * A plugin for rolldown and vite: `import text from './program.ts?bundled'` gives the program, with everything that it
 * imports, as the text of one file that Node runs. Drivers write such programs to managed servers.
 */
export const bundledTexts = () => ({
  name: 'bundled',
  resolveId: (source: string, importer: string | undefined) =>
    source.endsWith(suffix) && importer ? resolve(dirname(importer), source) : undefined,
  async load(id: string) {
    if (!id.endsWith(suffix)) return undefined
    const made = await rolldown({
      input: id.slice(0, -suffix.length),
      cwd: join(import.meta.dirname, '..'),
      platform: 'node',
      external: /^node:/,
    })
    const { output } = await made.generate({ format: 'esm', codeSplitting: false })
    await made.close()
    return `export default ${JSON.stringify(output[0].code)}`
  },
})
