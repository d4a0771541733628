import { useSearch } from '@tanstack/react-router'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Skeletons } from '../../../kit/frame/Skeletons.tsx'

const TypeEdit = lazyPart(() => import('./TypeEdit.tsx'), Skeletons)
const GradeEdit = lazyPart(() => import('./GradeEdit.tsx'), Skeletons)

export default numbered('scoreTypeId', TypeOrGrade)

/**
 * The specification puts the grade form of v2 under the path of score types too. `?of=grade` opens the grade there; the
 * own path of grades is `scores/grades/{id}`.
 */
function TypeOrGrade({ id }: { id: number }) {
  const { of } = useSearch({ strict: false })
  return of === 'grade' ? <GradeEdit id={id} /> : <TypeEdit id={id} />
}
