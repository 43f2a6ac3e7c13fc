container
.input
.chunk RTS0 {
 00 0
}
