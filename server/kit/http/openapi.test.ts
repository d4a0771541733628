import { contract } from '@innkeeper/contract/index'
import { expect, it } from 'vitest'
import { openapi } from './openapi.ts'

interface Operation {
  operationId: string
  parameters: { name: string; in: string }[]
  responses: Record<string, unknown>
}
const document = openapi(contract, '1.0.0')
const paths = document.paths as Record<string, Record<string, Operation>>
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.values(methods).map((operation) => ({ path, operation })),
)

it('has each call once, with the parameters of its path and an answer for refusals', () => {
  expect(operations).toHaveLength(Object.values(contract).reduce((sum, calls) => sum + Object.keys(calls).length, 0))
  for (const { path, operation } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const given = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name)
    expect(given.toSorted(), operation.operationId).toEqual(named.toSorted())
    expect(operation.responses).toHaveProperty('4XX')
  }
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length)
})

it('has no two paths that differ only by the names of their parameters', () => {
  const shapes = Object.keys(paths).map((path) => path.replace(/\{\w+\}/g, '{}'))
  expect(new Set(shapes).size).toBe(shapes.length)
})
