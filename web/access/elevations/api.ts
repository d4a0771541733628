import { elevations } from '@innkeeper/contract/access/elevations'
import { bind } from '../../kit/api/client.ts'

export const elevationsApi = bind('elevations', elevations)
