import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { Dot } from '../../../kit/frame/PageHeader.tsx'
import css from '../Files.module.css'

/** Breadcrumb of the parent folders. */
export const Crumbs = ({ parents, top }: { parents: readonly { id: number; name: string }[]; top: string }) => (
  <nav className={css.crumbs} aria-label="Folders above">
    <LinkTo to="/files-manager">{top}</LinkTo>
    {parents.map(({ id, name }) => (
      <span key={id} className={css.crumbs}>
        <Dot />
        <LinkTo to="/files-manager/$folderId" params={{ folderId: String(id) }}>
          {name}
        </LinkTo>
      </span>
    ))}
  </nav>
)
