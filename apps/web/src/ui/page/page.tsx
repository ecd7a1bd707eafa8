import type { ReactNode } from 'react'
import classes from './page.module.css'

export type PageProps = {
  children: ReactNode
  /** A SidePanel: beside the page from 1440 px on, over it below. */
  panel?: ReactNode
  /** A list page fills the window and scrolls inside; any other page scrolls as a whole. */
  fill?: boolean
}

export function Page({ children, panel, fill = false }: PageProps) {
  return (
    <div className={classes['page']} data-fill={fill || undefined}>
      <div className={classes['content']}>{children}</div>
      {panel}
    </div>
  )
}

export type PageHeaderProps = {
  title: ReactNode
  /** A count or a status beside the title. */
  meta?: ReactNode
  description?: ReactNode
  actions?: ReactNode
}

/** The only h1 of a page; a change of path moves the focus to it. */
export function PageHeader({ title, meta, description, actions }: PageHeaderProps) {
  return (
    <div className={classes['header']}>
      <div className={classes['titles']}>
        <div className={classes['titleRow']}>
          <h1 tabIndex={-1} className={classes['title']}>
            {title}
          </h1>
          {meta && <div className={classes['meta']}>{meta}</div>}
        </div>
        {description && <p className={classes['description']}>{description}</p>}
      </div>
      {actions && <div className={classes['actions']}>{actions}</div>}
    </div>
  )
}

/** Main column and facts from 1024 px, one column below. */
export const TwoColumns = ({ children, aside }: { children: ReactNode; aside: ReactNode }) => (
  <div className={classes['columns']}>
    <div className={classes['main']}>{children}</div>
    <div className={classes['aside']}>{aside}</div>
  </div>
)

export type SectionProps = { title: ReactNode; count?: ReactNode; actions?: ReactNode; children: ReactNode; className?: string | undefined }

/** A titled card of a detail page or of home. */
export const Section = ({ title, count, actions, children, className = '' }: SectionProps) => (
  <section className={`${classes['section']} ${className}`}>
    <div className={classes['sectionHead']}>
      <h2 className={classes['sectionTitle']}>
        {title}
        {count !== undefined && <span className={classes['count']}>{count}</span>}
      </h2>
      {actions}
    </div>
    {children}
  </section>
)
