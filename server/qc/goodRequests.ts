import type { Good } from '../hostile/good.ts'

const settings: Good<'qc'> = {
  createTag: { name: 'Fresh tag' },
  updateTag: ({ id }) => ({ id: id('qc_tags', 'Refund'), name: 'Refunds' }),
  removeTag: ({ id }) => ({ id: id('qc_tags', 'Refund') }),
  createGrade: { name: 'Fresh grade', value: 60 },
  updateGrade: ({ id }) => ({ id: id('qc_score_grades', 'Good'), value: 90 }),
  createType: ({ id }) => ({
    name: 'Fresh type',
    weight: 10,
    gradeIds: [id('qc_score_grades', 'Poor'), id('qc_score_grades', 'Good')],
  }),
  updateType: ({ id }) => ({ id: id('qc_score_types', 'Solution'), weight: 50 }),
}
const cron: Good<'qcCron'> = {
  createCronFilter: { name: 'Fresh filter', value: 'csat<=2' },
  updateCronFilter: ({ id }) => ({ id: id('qc_cron_filters', 'Unhappy'), value: 'csat<=1' }),
  removeCronFilter: ({ id }) => ({ id: id('qc_cron_filters', 'Unhappy') }),
}

export const qc: Good<'qc'> = { ...settings }
export const qcSettings: Good<'qcSettings'> = { ...settings, updateQueue: { kind: 'chat', quota: 5 } }
export const qcTickets: Good<'qcTickets'> = { ...cron }
export const qcCron = cron
