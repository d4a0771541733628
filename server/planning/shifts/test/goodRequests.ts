import { comingDay } from '../../../test/comingDays.ts'
import type { Good } from '../../../test/hostile/good.ts'
import { daysInWords } from '../../calendar/words.ts'

export const shifts: Good<'shifts'> = {
  create: ({ id }) => ({ userId: id('users', 'olga'), date: comingDay(1, 1), shiftTypeId: id('shift_types', 'Early') }),
  update: ({ id }) => ({ id: id('shifts', comingDay(0, 1)), userId: id('users', 'olga'), endTime: '13:30' }),
  take: ({ id }) => ({ id: id('shifts', comingDay(0, 6)) }),
  remove: ({ id }) => ({ id: id('shifts', comingDay(0, 2)) }),
  plan: ({ id }) => ({ remove: [{ id: id('shifts', comingDay(0, 1)), version: 1 }] }),
  copy: ({ id }) => ({
    from: comingDay(-6, 6),
    to: comingDay(0, 3),
    into: comingDay(17, 1),
    departmentId: id('departments', 'Shift desk'),
  }),
  publish: { from: comingDay(0, 1), to: comingDay(4, 2) },
  undo: ({ id }) => ({ id: id('shift_batches', { text: `Planned Night on ${daysInWords(comingDay(0, 5))}` }) }),
  exchange: ({ id }) => ({ id: id('shifts', comingDay(5, 1)), otherId: id('shifts', comingDay(5, 2)) }),
  offerSwap: ({ id }) => ({ shiftId: id('shifts', comingDay(5, 5)), userId: id('users', 'olga') }),
  answerSwap: ({ id }) => ({ id: id('shift_swaps', 'asks the admin'), accepts: true }),
  withdrawSwap: ({ id }) => ({ id: id('shift_swaps', 'of the admin') }),
  decideSwap: ({ id }) => ({ id: id('shift_swaps', 'waits for a planner'), isApproved: true }),
  addWish: { kind: 'cannot', from: comingDay(0, 1), to: comingDay(3, 7), weekdays: [3] },
  removeWish: ({ id }) => ({ id: id('shift_wishes') }),
  createAutomation: ({ id }) => ({
    name: 'Fresh',
    userId: id('users', 'paul'),
    pattern: [id('shift_types', 'Early'), null],
    startDate: comingDay(22, 1),
  }),
  updateAutomation: ({ id }) => ({ id: id('shift_automations', 'Paul'), name: 'Paul again', onHoliday: 'skip' }),
  removeAutomation: ({ id }) => ({ id: id('shift_automations', 'Paul') }),
  run: ({ id }) => ({ id: id('shift_automations', 'Paul') }),
  addNote: ({ id }) => ({ userId: id('users', 'invited'), date: '2026-11-21', content: 'Has the keys' }),
  removeNote: ({ id }) => ({ id: id('shift_notes') }),
  createTeam: ({ id }) => ({ departmentId: id('departments', 'Shift desk'), date: comingDay(-1, 5) }),
  removeTeam: ({ id }) => ({ id: id('shift_teams', 'Red') }),
  createType: { name: 'Late', startTime: '14:00', endTime: '22:00' },
  updateType: ({ id }) => ({ id: id('shift_types', 'Early'), name: 'Earlier', endTime: '12:00' }),
  removeType: ({ id }) => ({ id: id('shift_types', 'Unused') }),
  setMinimum: ({ id }) => ({
    departmentId: id('departments', 'Shift desk'),
    minimum: Array.from({ length: 168 }, () => 2),
  }),
  setSettings: { nightTo: 8, nightDenominator: 3 },
  closeMonth: { month: '2026-01' },
  openMonth: { month: '2025-12' },
}
