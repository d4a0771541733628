import { run } from './run.ts'

/** Completely installed Debian packages with their versions: the named ones, or all. */
export async function installedPackages(names: readonly string[] = []): Promise<Map<string, string>> {
  const format = `--showformat=\${db:Status-Status} \${Package} \${Version}\\n`
  const { stdout } = await run(['dpkg-query', '--show', format, '--', ...names])
  const found = new Map<string, string>()
  for (const line of stdout.split('\n')) {
    const [status, name = '', version = ''] = line.split(' ')
    if (status === 'installed') found.set(name, version)
  }
  return found
}
