import { onlineManager } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from './queries.ts'

afterEach(() => onlineManager.setOnline(true))

test('a query is sent although the browser says that it is offline', async () => {
  onlineManager.setOnline(false)
  const queryFn = async () => 'the answer of a server in the same network'
  expect(await queryClient.fetchQuery({ queryKey: ['servers'], queryFn })).toContain('the answer')
})
