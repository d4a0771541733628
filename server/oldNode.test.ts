import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('a Node that is too old is told which one to use, before anything else is read', () => {
  const older = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})`
  const main = join(import.meta.dirname, 'main.js')
  const { status, stderr } = spawnSync(process.execPath, ['--import', older, main], { encoding: 'utf8', env: {} })
  expect([status, stderr]).toEqual([
    1,
    'This is Node 20.20.2, and Innkeeper needs 24 or newer. npm has installed one here:\nnode_modules/.bin/node server/main.js\n',
  ])
})
