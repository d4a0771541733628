import { expect, test } from 'vitest'
import { removeFtpUser } from './ftp/ftpUser.ts'
import { whereInstalled } from './whereInstalled.ts'

test('a removal has nothing to do, nor to undo, on a server without the engine', async () => {
  const said: string[] = []
  const fails = async (): Promise<never> => {
    throw new Error('spawn psql ENOENT')
  }
  const context = { say: (text: string) => said.push(text) } as never
  const driver = { ...removeFtpUser, run: fails, undo: fails, inspect: fails }
  await whereInstalled(() => false, driver).run(context)
  await whereInstalled(() => false, driver).undo(context)
  expect(said).toEqual(['The engine is not installed here: nothing to remove'])
  await expect(whereInstalled(() => true, driver).run(context)).rejects.toThrow('ENOENT')
})
