import { describe, expect, it } from 'vitest'
import { consequence, emptyForm, toPlanInput } from './requested.ts'

describe('the input of the plan', () => {
  it('omits incomplete values', () => {
    const asked = toPlanInput({ ...emptyForm, domain: 'nordlys', systemUser: 'Nordlys Kaffe', userId: 7 })
    expect(asked).toEqual({ userId: 7 })
  })

  it('contains all chosen values', () => {
    const requested = { ...emptyForm, domain: 'nordlys.no', userId: 7, originServer: 2, plan: 3, phpVersion: '8.4' }
    expect(toPlanInput(requested)).toEqual({
      domain: 'nordlys.no',
      userId: 7,
      originServer: 2,
      plan: 3,
      phpVersion: '8.4',
    })
  })
})

it('the consequence counts actions by server and names skipped ones', () => {
  const actions = [
    { name: 'a', title: 'System user', serverName: 'web-1' },
    { name: 'b', title: 'Probe', serverName: null },
  ]
  expect(consequence(actions, [])).toBe('2 actions on web-1')
  expect(consequence(actions, ['b'])).toBe('1 action on web-1, without probe')
})
