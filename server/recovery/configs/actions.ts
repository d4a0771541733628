import { operations } from '@innkeeper/contract/agent/operations'
import { action } from '../../kit/work/action.ts'
import { titles } from './words.ts'

export const configsReset = action('configs.reset', operations['configs.reset'], {
  title: 'Reset configuration',
  what: ({ service, files, remove }) =>
    `${titles[service]}: ${files.length + remove.length} files, the service's own check, a probe`,
})
