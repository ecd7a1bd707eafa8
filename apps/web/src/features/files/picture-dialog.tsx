import { fileLimits } from '@guildhall/contract/features/files'
import type { PicturedRecord } from '@guildhall/contract/features/files'
import { Alert, Button, FileButton } from '@mantine/core'
import '@mantine/core/styles/Alert.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import Cropper from 'react-easy-crop'
import type { Area } from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { problemText } from '../../platform/api/problem-text.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import classes from './files.module.css'

export type PictureDialogProps = {
  opened: boolean
  onClose: () => void
  recordType: Exclude<PicturedRecord, 'message_picture'>
  recordId: string
  pictureId: string | null
  /** What it is of, in titles and messages. */
  name: string
  /** With the id of a new picture; of a person or the organisation it is shown already. */
  onChanged: (pictureId?: string) => Promise<unknown>
}

/** A picture chosen, of a person cut to a square and of an event or a campaign to its frame, and sent; or the one that is there taken away. */
export function PictureDialog({ opened, onClose, name, ...more }: PictureDialogProps) {
  const [sending, setSending] = useState(false)
  return (
    <Dialog
      opened={opened}
      onClose={() => {
        if (!sending) onClose()
      }}
      title={more.recordType === 'organisation' ? t`Logo of ${name}` : t`Picture of ${name}`}
    >
      {opened && <Choice {...more} name={name} onClose={onClose} sending={sending} onSending={setSending} />}
    </Dialog>
  )
}

type ChoiceProps = Omit<PictureDialogProps, 'opened'> & { sending: boolean; onSending: (now: boolean) => void }

function Choice({ recordType, recordId, pictureId, name, onChanged, onClose, sending, onSending }: ChoiceProps) {
  const { data, actions } = useApi()
  const [chosen, setChosen] = useState<File | null>(null)
  const [area, setArea] = useState<Area | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const record = { recordType, recordId }
  const isCut = recordType !== 'organisation'
  const isCover = recordType === 'event' || recordType === 'campaign'

  const choose = (file: File | null) => {
    setRefused(file && file.size > fileLimits.pictureBytes ? t`A picture has at most 20 MB.` : null)
    setChosen(file && file.size <= fileLimits.pictureBytes ? file : null)
    setArea(null)
  }
  const attempt = async (act: () => Promise<string | undefined>) => {
    onSending(true)
    setRefused(null)
    try {
      await onChanged(await act())
      onClose()
    } catch (problem) {
      setRefused(problemText(problem))
    } finally {
      onSending(false)
    }
  }
  const save = async (file: File) => {
    const sent = isCut && area ? await cut(file, area, isCover ? frames.event : frames.person) : file
    const { pictureId: made } = await actions.files.setPicture.call({ ...record, file: sent })
    if (!isCover) toast.success(isCut ? t`Picture of ${name} changed` : t`Logo changed`)
    return made
  }
  const remove = async (current: string) => {
    // Whether an event or a campaign shows a picture stands with it.
    if (recordType === 'event' || recordType === 'campaign') return undefined
    const record = { recordType, recordId }
    const before = await actions.files.picture.call({ pictureId: current, size: 'large' })
    await data.files.removePicture.call(record)
    toast.undo(isCut ? t`Picture of ${name} removed` : t`Logo removed`, async () => {
      await actions.files.setPicture.call({ ...record, file: before })
      await onChanged()
    })
    return undefined
  }
  return (
    <div className={classes['stack']}>
      {refused && (
        <Alert role="alert" color="red" title={t`The picture was not taken`}>
          {refused}
        </Alert>
      )}
      {chosen &&
        (isCut ? (
          <Crop
            key={`${chosen.name} ${chosen.lastModified}`}
            file={chosen}
            isFace={recordType === 'person'}
            onArea={setArea}
            onBroken={() => setRefused(t`This picture cannot be read. Choose a JPEG, PNG, WebP, GIF or AVIF file.`)}
          />
        ) : (
          <Preview file={chosen} />
        ))}
      <p className={classes['minor']}>
        <Trans>JPEG, PNG, WebP, GIF or AVIF, up to 20 MB. Where and when it was taken is not kept.</Trans>
      </p>
      <div className={classes['row']}>
        {chosen && (
          <Button loading={sending} disabled={isCut && area === null} onClick={() => void attempt(() => save(chosen))}>
            <Trans>Save</Trans>
          </Button>
        )}
        <FileButton
          accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
          onChange={choose}
          inputProps={{ 'aria-label': t`Picture file` }}
        >
          {(props) => (
            <Button {...props} variant={chosen ? 'default' : 'filled'} disabled={sending}>
              {chosen ? <Trans>Choose another picture</Trans> : <Trans>Choose a picture</Trans>}
            </Button>
          )}
        </FileButton>
        {pictureId && !chosen && !isCover && (
          <Button variant="default" loading={sending} onClick={() => void attempt(() => remove(pictureId))}>
            <Trans>Remove the picture</Trans>
          </Button>
        )}
      </div>
    </div>
  )
}

/** An address of a file of this machine for as long as it is shown. */
function useLocalAddress(file: File): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address
}

function Preview({ file }: { file: File }) {
  const address = useLocalAddress(file)
  return address && <img src={address} alt={t`The chosen picture`} className={classes['logo']} />
}

/** Arrow keys move the picture, the slider enlarges it; so does a finger or a mouse. */
type CropProps = { file: File; isFace: boolean; onArea: (area: Area) => void; onBroken: () => void }
function Crop({ file, isFace, onArea, onBroken }: CropProps) {
  const address = useLocalAddress(file)
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  if (!address) return null
  return (
    <>
      <div className={classes['crop']}>
        <Cropper
          image={address}
          crop={crop}
          zoom={zoom}
          aspect={isFace ? 1 : frames.event.width / frames.event.height}
          cropShape={isFace ? 'round' : 'rect'}
          showGrid={false}
          keyboardStep={8}
          disableAutomaticStylesInjection
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_, pixels) => onArea(pixels)}
          mediaProps={{ alt: t`The chosen picture`, onError: onBroken }}
          cropperProps={{ role: 'group', 'aria-label': t`Part of the picture that is kept. Arrow keys move it.` }}
        />
      </div>
      <label className={classes['row']}>
        <Trans>Size</Trans>
        <input
          type="range"
          className={classes['zoom']}
          min={1}
          max={4}
          step={0.05}
          value={zoom}
          onChange={(event) => setZoom(Number(event.currentTarget.value))}
        />
      </label>
    </>
  )
}

const frames = { person: { width: 512, height: 512 }, event: { width: 1280, height: 720 } } as const
type Frame = (typeof frames)[keyof typeof frames]

/** The part that was chosen, upright and no larger than it is kept. */
async function cut(file: File, { x, y, width, height }: Area, most: Frame): Promise<File> {
  const whole = await createImageBitmap(file)
  const canvas = document.createElement('canvas')
  canvas.width = Math.min(most.width, Math.round(width))
  canvas.height = Math.round((canvas.width * most.height) / most.width)
  canvas.getContext('2d')?.drawImage(whole, x, y, width, height, 0, 0, canvas.width, canvas.height)
  whole.close()
  const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.92))
  return new File([made ?? file], 'picture', { type: made?.type ?? file.type })
}
