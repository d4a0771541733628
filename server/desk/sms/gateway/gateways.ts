import type { Settings } from '../settings.ts'
import type { Gateway } from './gateway.ts'
import { overHttp } from './http.ts'
import { overKannel } from './kannel.ts'

export const gatewayOf = ({ gateway }: Pick<Settings, 'gateway'>): Gateway | undefined =>
  gateway === 'kannel' ? overKannel : gateway === 'http' ? overHttp : undefined
