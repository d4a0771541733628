import type { Website } from '@innkeeper/contract/hosting/websites'

const environments: Record<Website['environment'], string> = {
  production: 'Production',
  staging: 'Staging',
  development: 'Development',
}
export const environmentWord = (environment: Website['environment']): string => environments[environment]
export const environmentChoices = Object.entries(environments).map(([value, label]) => ({ value, label }))
