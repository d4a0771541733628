import type { ConversationPage } from '@innkeeper/contract/quality/qc/shapes'
import { expect, test } from 'vitest'
import { dataOf, sheetsOf, withAgents } from './sheets.ts'

const ada = { id: 1, name: 'Ada' }
const bo = { id: 2, name: 'Bo' }
const page = (draft: ConversationPage['draft']) => ({ draft, agent: ada }) as ConversationPage

test('each agent has separate scores', () => {
  const both = withAgents(sheetsOf(page(null)), [ada, bo])
  const given = { ...both, scores: { 1: { 7: { grade: 70, comment: '', evidence: ['5'] } }, 2: {} } }
  expect(dataOf(given)).toMatchObject({
    agents: [ada, bo],
    scores: [{ agentId: 1, scoreTypeId: 7, gradeId: 70, evidence: [5] }],
  })
  expect(withAgents(given, [bo])).toMatchObject({ agents: [bo], scores: { 2: {} } })
})

test('a draft is read back unchanged, including N/A and missing grades', () => {
  const draft = {
    ...{ tags: [3], comment: 'half', agents: [bo] },
    scores: [
      { scoreTypeId: 7, gradeId: null, comment: '', evidence: [], agentId: 2 },
      { scoreTypeId: 8, comment: 'why', evidence: [4], agentId: 2 },
    ],
  }
  expect(dataOf(sheetsOf(page(draft)))).toEqual(draft)
})
