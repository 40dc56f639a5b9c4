/** Short synthesized sounds; off by default. */
import { settings } from './settings.svelte'

type Sound = 'place' | 'done' | 'turn' | 'no' | 'end'

/** Frequencies in hertz, one after another. */
const NOTES: Record<Sound, number[]> = {
  place: [392],
  done: [392, 523],
  turn: [523, 659],
  no: [220, 196],
  end: [392, 523, 659, 784],
}
const NOTE_SECONDS = 0.11

let context: AudioContext | null = null

export function play(sound: Sound): void {
  if (!settings.sound || typeof AudioContext === 'undefined') return
  context ??= new AudioContext()
  const start = context.currentTime
  NOTES[sound].forEach((frequency, index) => ring(context!, frequency, start + index * NOTE_SECONDS))
}

function ring(audio: AudioContext, frequency: number, at: number): void {
  const tone = audio.createOscillator()
  const volume = audio.createGain()
  tone.type = 'sine'
  tone.frequency.value = frequency
  volume.gain.setValueAtTime(0.0001, at)
  volume.gain.exponentialRampToValueAtTime(0.12, at + 0.015)
  volume.gain.exponentialRampToValueAtTime(0.0001, at + NOTE_SECONDS * 2)
  tone.connect(volume).connect(audio.destination)
  tone.start(at)
  tone.stop(at + NOTE_SECONDS * 2)
}
