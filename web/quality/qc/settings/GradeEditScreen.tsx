import { numbered } from '../../../kit/frame/numbered.tsx'
import GradeEdit from './GradeEdit.tsx'

export default numbered('scoreGradeId', GradeEdit)
