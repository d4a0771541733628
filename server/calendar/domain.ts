import type { Domain } from '../kit/app/domain.ts'
import * as tables from './tables.ts'

export const calendar: Domain = {
  tables,
}
