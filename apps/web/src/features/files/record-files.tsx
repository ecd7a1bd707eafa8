import type { Chapter } from '@guildhall/contract/features/chapters'
import type { Event } from '@guildhall/contract/features/events'
import type { Group } from '@guildhall/contract/features/groups'
import { ActionIcon, Button, CloseButton, Menu, Progress } from '@mantine/core'
import '@mantine/core/styles/Progress.css'
import { Dropzone } from '@mantine/dropzone'
import '@mantine/dropzone/styles.css'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDots, IconDownload, IconFile, IconFileText, IconMusic, IconPhoto, IconTable, IconUpload, IconVideo } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { PersonLink } from '../../platform/records/record-links.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { ShowMore } from '../../ui/list/show-more.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import classes from './files.module.css'
import { useFileActs, useFiles } from './files-api.ts'
import type { OfRecord, StoredFile } from './files-api.ts'
import { RenameFileDialog } from './rename-file-dialog.tsx'
import { useUploads } from './use-uploads.ts'
import type { Upload } from './use-uploads.ts'

export const GroupFiles = ({ group }: { group: Group }) => (
  <RecordFiles record={{ recordType: 'group', recordId: group.id }} mayChange={group.may.edit && group.archivedAt === null} />
)

export const ChapterFiles = ({ chapter }: { chapter: Chapter }) => (
  <RecordFiles record={{ recordType: 'chapter', recordId: chapter.id }} mayChange={chapter.may.edit} />
)

export const EventFiles = ({ event }: { event: Event }) => (
  <RecordFiles record={{ recordType: 'event', recordId: event.id }} mayChange={event.may.edit} />
)

/** The files of a record: who sees the record downloads them, who may change it adds, renames and removes them. */
function RecordFiles({ record, mayChange }: { record: OfRecord; mayChange: boolean }) {
  const files = useFiles(record)
  const { running, send } = useUploads(record)
  const [renamed, setRenamed] = useState<StoredFile | null>(null)
  const { number } = useFormats()
  const open = useRef<() => void>(null)
  if (files.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={6} />
      </Loading>
    )
  }
  if (files.isError)
    return <ProblemState problem={files.error} title={t`The files could not be loaded`} retry={() => void files.refetch()} />
  const { items, total } = files.data
  const choose = () => open.current?.()
  const list = (
    <>
      {running.length > 0 && (
        <ul className={classes['list']} aria-label={t`Being uploaded`}>
          {running.map((upload) => (
            <Uploading key={upload.key} upload={upload} />
          ))}
        </ul>
      )}
      {items.length === 0 && running.length === 0 && (
        <EmptyState
          level={3}
          icon={<IconFile size={32} stroke={1.5} />}
          title={t`No files yet`}
          action={mayChange && <Add onClick={choose} />}
        >
          {mayChange ? (
            <Trans>Minutes, statutes, pictures: drop them here, or choose them.</Trans>
          ) : (
            <Trans>Files that are added here can be downloaded by everybody who sees this page.</Trans>
          )}
        </EmptyState>
      )}
      {items.length > 0 && (
        <ul className={classes['list']} aria-label={t`Files`}>
          {items.map((file) => (
            <FileItem key={file.id} file={file} mayChange={mayChange} onRename={() => setRenamed(file)} />
          ))}
        </ul>
      )}
      <ShowMore query={files} />
    </>
  )
  return (
    <Section
      title={t`Files`}
      count={items.length > 0 && number(total ?? items.length)}
      actions={mayChange && items.length > 0 && <Add onClick={choose} />}
    >
      {mayChange ? (
        <Dropzone
          openRef={open}
          enablePointerEvents
          activateOnClick={false}
          activateOnKeyboard={false}
          tabIndex={-1}
          className={classes['drop'] ?? ''}
          onDrop={(dropped) => void send(dropped)}
          inputProps={{ 'aria-label': t`Files to add` }}
        >
          {list}
        </Dropzone>
      ) : (
        list
      )}
      <RenameFileDialog file={renamed} onClose={() => setRenamed(null)} />
    </Section>
  )
}

const Add = ({ onClick }: { onClick: () => void }) => (
  <Button variant="default" size="compact-md" leftSection={<IconUpload size={16} stroke={1.5} aria-hidden />} onClick={onClick}>
    <Trans>Add files</Trans>
  </Button>
)

function Uploading({ upload: { name, share, refused, cancel } }: { upload: Upload }) {
  const percent = Math.round(share * 100)
  return (
    <li className={classes['item']}>
      <div className={classes['words']}>
        <span className={classes['name']}>{name}</span>
        {refused === null ? (
          <Progress value={percent} aria-label={t`${name} is being uploaded`} />
        ) : (
          <span role="alert" className={classes['refused']}>
            {refused}
          </span>
        )}
      </div>
      <CloseButton aria-label={refused === null ? t`Cancel the upload of ${name}` : t`Dismiss ${name}`} onClick={cancel} />
    </li>
  )
}

function FileItem({ file, mayChange, onRename }: { file: StoredFile; mayChange: boolean; onRename: () => void }) {
  const { download, remove } = useFileActs()
  const Icon = iconOf(file.type)
  return (
    <li className={classes['item']}>
      <Icon size={20} stroke={1.5} aria-hidden />
      <div className={classes['words']}>
        <button type="button" className={classes['open']} onClick={() => void download(file)}>
          {file.name}
        </button>
        <span className={classes['minor']}>
          <Size bytes={file.bytes} /> · <RelativeTime at={file.createdAt} />
          {file.addedBy && (
            <>
              {' · '}
              <PersonLink person={file.addedBy} />
            </>
          )}
        </span>
      </div>
      <ActionIcon variant="default" size="lg" aria-label={t`Download ${file.name}`} onClick={() => void download(file)}>
        <IconDownload size={18} aria-hidden />
      </ActionIcon>
      {mayChange && (
        <Menu>
          <Menu.Target>
            <ActionIcon variant="default" size="lg" aria-label={t`More actions for ${file.name}`}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={onRename}>
              <Trans>Rename</Trans>
            </Menu.Item>
            <Menu.Item onClick={() => void remove(file)}>
              <Trans>Remove</Trans>
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </li>
  )
}

function Size({ bytes }: { bytes: number }) {
  const { number } = useFormats()
  if (bytes < 1_000) return plural(bytes, { one: '# byte', other: '# bytes' })
  return bytes < 1_000_000 ? t`${number(Math.round(bytes / 1_000))} kB` : t`${number(Math.round(bytes / 100_000) / 10)} MB`
}

const iconOf = (type: string) => {
  if (type.startsWith('image/')) return IconPhoto
  if (type.startsWith('audio/')) return IconMusic
  if (type.startsWith('video/')) return IconVideo
  if (/csv|sheet|separated/.test(type)) return IconTable
  return /pdf|text|document|presentation/.test(type) ? IconFileText : IconFile
}
