import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { can } from './can.ts'
import { openLab } from './lab.ts'
import { shareSources } from './sources.ts'

const repository = dirname(dirname(fileURLToPath(import.meta.url)))
const folders: Record<string, string> = { agent: 'data/test/agent-lab', e2e: 'data/test/e2e/lab' }

/**
 * Global set-up of test projects with practice hosts: keeps the network and the package proxy of their lab up from the first
 * test file to the last one, so that no file removes the network while another file uses it; reads the sources of apt once.
 */
export default async function setup({ name }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const dir = join(repository, folders[name.split(' ')[0] ?? ''] ?? 'data/test/lab')
  if (!(await can(dir)).able) return undefined
  await shareSources()
  const lab = await openLab({ dir })
  await lab.hold()
  return () => lab.leave()
}
