import { describe, expect, it } from 'vitest'
import { figuresOf, fullness, roomOf } from './load.ts'

const GB = 1024 ** 3
const load = {
  at: '2026-11-21T12:00:00.000Z',
  load: 4.92,
  cores: 16,
  memory: { total: 64 * GB, used: 57.8 * GB },
  disk: { total: 1800 * GB, used: 1388 * GB },
}

describe("a server's load", () => {
  it('is shown beside the machine’s capacity', () => {
    const [cpu, memory, disk] = figuresOf(load)
    expect(cpu).toMatchObject({ value: '4.92', of: 'of 16 cores' })
    expect(cpu.share).toBeCloseTo(0.3075)
    expect(memory).toMatchObject({ value: '58 GB', of: 'of 64 GB' })
    expect(disk.share).toBeCloseTo(0.771, 2)
  })

  it('handles an unmeasured disk', () => {
    expect(figuresOf({ ...load, disk: { total: 0, used: 0 } })[2].share).toBe(0)
  })

  it('shows the free capacity when a website is placed', () => {
    expect(roomOf(load)).toBe('31 % busy, 412 GB free')
    expect(roomOf({ ...load, load: 48 })).toBe('overloaded, 412 GB free')
    expect(roomOf(null)).toBe('no figures yet')
  })

  it('is the highest of its figures, and handles missing ones', () => {
    expect(fullness(load)).toBeCloseTo(0.903, 2)
    expect(fullness(null)).toBe(1)
  })
})
