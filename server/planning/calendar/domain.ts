import type { Domain } from '../../domain.ts'
import * as tables from './tables.ts'

export const calendar: Domain = {
  tables,
}
