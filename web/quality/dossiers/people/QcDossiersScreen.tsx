import { DossierList } from './DossierList.tsx'

export default () => <DossierList base="/qc/dossiers" />
