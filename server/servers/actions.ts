import { operations } from '@innkeeper/contract/agent'
import { action } from '../kit/action.ts'

export const packagesEnsure = action('packages.ensure', operations['packages.ensure'], {
  title: 'Packages',
  lane: 'long',
  what: ({ packages }) => packages.join(', '),
})
export const nginxEnsure = action('nginx.ensure', operations['nginx.ensure'], {
  title: 'nginx',
  what: () => 'answers on port 80 and refuses unknown names',
})
export const phpEnsure = action('php.ensure', operations['php.ensure'], {
  title: 'PHP',
  what: ({ phpVersion }) => `php${phpVersion}-fpm runs and survives a bad pool`,
})
