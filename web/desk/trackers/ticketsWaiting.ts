import { assigned } from './assigned.ts'

export default assigned('ticket')
