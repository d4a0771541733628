import { screen } from '../../../domain.ts'

const tags = () => import('./TagsScreen.tsx')
const tagCreate = () => import('./TagCreateScreen.tsx')
const tagEdit = () => import('./TagEditScreen.tsx')
const types = () => import('./TypesScreen.tsx')
const typeCreate = () => import('./TypeCreateScreen.tsx')
const typeEdit = () => import('./TypeEditScreen.tsx')
const grades = () => import('./GradesScreen.tsx')
const gradeCreate = () => import('./GradeCreateScreen.tsx')
const gradeEdit = () => import('./GradeEditScreen.tsx')
const cron = () => import('./CronScreen.tsx')
const cronCreate = () => import('./CronCreateScreen.tsx')
const cronEdit = () => import('./CronEditScreen.tsx')

const READ = ['qa:score-type:read', 'qa:score-grade:read'] as const
const list = { scope: READ, title: 'Score types' } as const
const gradeList = { scope: READ, title: 'Grades' } as const
const newType = { scope: [...READ, 'qa:score-type:create'], title: 'Create score type' } as const
const oneType = { scope: [...READ, 'qa:score-type:update'], title: 'Score type' } as const
const newGrade = { scope: [...READ, 'qa:score-grade:create'], title: 'Create grade' } as const
const oneGrade = { scope: [...READ, 'qa:score-grade:update'], title: 'Grade' } as const
const allTags = { scope: 'qa:tag:read', title: 'Tags' } as const
const newTag = { scope: 'qa:tag:create', title: 'Create tag' } as const
const oneTag = { scope: 'qa:tag:update', needs: 'qa:tag:read', title: 'Tag' } as const
const allCron = { scope: 'qa:cron:read', title: 'Ticket cron filters' } as const
const newCron = { scope: 'qa:cron:create', needs: 'qa:cron:read', title: 'Create cron filter' } as const
const oneCron = { scope: 'qa:cron:update', needs: 'qa:cron:read', title: 'Cron filter' } as const

/** Settings of QC and QC V2: one component for two paths. */
export const settingScreens = [
  screen('/qc-settings/tags', allTags, tags),
  screen('/qc-settings/tags/create', newTag, tagCreate),
  screen('/qc-settings/tags/update/$tagId', oneTag, tagEdit),
  screen('/qc-settings/score/types', list, types),
  screen('/qc-settings/score/types/create', newType, typeCreate),
  screen('/qc-settings/score/types/update/$scoreTypeId', oneType, typeEdit),
  screen('/qc-settings/score/grades', gradeList, grades),
  screen('/qc-settings/score/grades/create', newGrade, gradeCreate),
  screen('/qc-settings/score/grades/update/$scoreGradeId', oneGrade, gradeEdit),
  screen('/qc-settings/cron', allCron, cron),
  screen('/qc-settings/cron/create', newCron, cronCreate),
  screen('/qc-settings/cron/edit/$id', oneCron, cronEdit),
  screen(
    '/qc-settings/chats/queue',
    { scope: 'qa:chat-queue:settings', title: 'Queue settings' },
    () => import('./QueueSettingsScreen.tsx'),
  ),
  screen(
    '/qc-settings/chats/queue/draws',
    { scope: 'qa:chat-queue:settings', title: 'Draws' },
    () => import('./DrawsScreen.tsx'),
  ),
  screen('/qc-settings-v2/tags', allTags, tags),
  screen('/qc-settings-v2/tags/create', newTag, tagCreate),
  screen('/qc-settings-v2/tags/$tagId', oneTag, tagEdit),
  screen('/qc-settings-v2/scores', { scope: READ, title: 'Scores' }, () => import('./ScoresScreen.tsx')),
  screen('/qc-settings-v2/scores/types', list, types),
  screen('/qc-settings-v2/scores/types/create', newType, typeCreate),
  screen('/qc-settings-v2/scores/types/$scoreTypeId', oneType, typeEdit),
  screen('/qc-settings-v2/scores/grades', gradeList, grades),
  screen('/qc-settings-v2/scores/grades/create', newGrade, gradeCreate),
  screen('/qc-settings-v2/scores/grades/$scoreGradeId', oneGrade, gradeEdit),
  screen(
    '/qc-settings-v2/checks',
    { scope: 'qa:check:read', title: 'Automatic checks' },
    () => import('../checks/ChecksScreen.tsx'),
  ),
  screen(
    '/qc-settings-v2/checks/create',
    { scope: 'qa:check:create', needs: 'qa:check:read', title: 'Create rule' },
    () => import('../checks/CheckCreateScreen.tsx'),
  ),
  screen(
    '/qc-settings-v2/checks/$checkId',
    { scope: 'qa:check:update', needs: 'qa:check:read', title: 'Rule' },
    () => import('../checks/CheckEditScreen.tsx'),
  ),
  screen(
    '/qc-settings-v2/reviewers',
    { scope: 'qa:manager:access', title: 'Reviewers' },
    () => import('../reviewers/ReviewersScreen.tsx'),
  ),
  screen('/qc-settings-v2/ticket-cron-config', allCron, cron),
  screen('/qc-settings-v2/ticket-cron-config/create', newCron, cronCreate),
  screen('/qc-settings-v2/ticket-cron-config/$id', oneCron, cronEdit),
] as const
