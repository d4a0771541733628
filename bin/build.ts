import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** Builds the web app, the agent, the command line and the server, if their sources changed since the last build. */
const repository = fileURLToPath(new URL('..', import.meta.url))

const builds = [
  {
    name: 'web app',
    made: 'web/dist',
    from: ['contract/**/*.ts', 'web/**/*.{ts,tsx,css,html,json,svg}', 'web/public/*', 'package-lock.json'],
    argv: ['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn'],
  },
  {
    name: 'agent',
    made: 'agent/dist',
    from: ['contract/**/*.ts', 'agent/**/*.{ts,sh,json}'],
    argv: ['agent/build.ts'],
  },
  {
    name: 'command line',
    made: 'client/dist',
    from: ['contract/**/*.ts', 'client/**/*.ts', 'package-lock.json'],
    argv: ['client/build.ts'],
  },
  {
    name: 'server',
    made: 'server/dist',
    from: ['contract/**/*.ts', 'server/**/*.{ts,js}', 'package-lock.json'],
    argv: ['server/build.ts'],
  },
  {
    name: 'embedded database',
    made: 'server/migrations/dist',
    from: ['server/migrations/**/*.{sql,json}', 'server/kit/db/**/*.ts', 'server/template.ts', 'package-lock.json'],
    argv: ['server/template.ts'],
  },
]

for (const { name, made, from, argv } of builds) {
  const stamp = join(repository, made, '.sources')
  const sources = digest(from)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) continue
  console.error(`Building the ${name}…`)
  const { status } = spawnSync(process.execPath, argv, { cwd: repository, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) process.exit(status ?? 1)
  if (made === 'web/dist') compress(made)
  writeFileSync(stamp, sources)
}

/** Writes compressed variants beside each file, so that the server compresses nothing per request. */
function compress(folder: string): void {
  for (const name of globSync(['index.html', 'assets/*.{js,css,svg}'], { cwd: join(repository, folder) })) {
    const file = join(repository, folder, name)
    const content = readFileSync(file)
    if (content.length < 1024) continue
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
  }
}

function digest(patterns: string[]): string {
  const hash = createHash('sha256').update(process.version)
  const files = globSync(patterns, { cwd: repository, exclude: (path) => /(^|\/)(dist|node_modules)(\/|$)/.test(path) })
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(repository, file)))
  return hash.digest('hex')
}
