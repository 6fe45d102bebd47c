import './without-move.js'
import '../../workers/encoder.js'
