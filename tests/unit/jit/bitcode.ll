; Functions as jit/bitcode.c reads them and jit/specialise.c evaluates them: small functions, each about one rule. The first
; parameter of the functions called case_* points at the 16 bytes 1, 2, 3, 4, 0, 0, 0, 0, 7, 0, 0, 0, 255, 255, 255, 255.
; What comes out of each stands in bitcode_made.txt.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%pair = type { i8, i32, [2 x i16] }

@words = private constant [4 x i32] [i32 10, i32 -2, i32 30, i32 40], align 16
@pairs = private constant [2 x %pair] [%pair { i8 1, i32 258, [2 x i16] [i16 3, i16 4] }, %pair zeroinitializer]
@zeros = private constant [3 x i64] zeroinitializer
@floats = private constant [2 x float] [float 1.0, float 0.0], align 8
@wide = private constant i128 5
@padded = private constant { i8, [3 x i8], i32 } { i8 9, [3 x i8] undef, i32 4 }
@holes = private constant { i8, i32 } { i8 9, i32 undef }

declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
declare i32 @llvm.x86.sse.movmsk.ps(<4 x float>)
declare i32 @llvm.x86.sse2.movmsk.pd(<2 x double>)
declare i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8>)
declare i32 @llvm.x86.avx.movmsk.ps.256(<8 x float>)
declare i32 @llvm.x86.avx2.pmovmskb(<32 x i8>)
declare i32 @llvm.x86.avx2.vpmaskmov.none(<32 x i8>)
declare i32 @llvm.ctpop.i32(i32)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @llvm.assume(i1)
declare void @llvm.experimental.noalias.scope.decl(metadata)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare <4 x float> @llvm.masked.load.v4f32.p0(ptr, i32, <4 x i1>, <4 x float>)
declare void @llvm.donothing()
declare i32 @outside(i32)

; ---- the constant bytes ----

define i32 @case_bytes(ptr %form, i32 %x, ptr %out) {
  %a = load i32, ptr %form
  store i32 %a, ptr %out
  %p1 = getelementptr i8, ptr %form, i64 1
  %b = load i8, ptr %p1
  store i8 %b, ptr %out
  %p2 = getelementptr inbounds [8 x i16], ptr %form, i64 0, i64 4
  %c = load i16, ptr %p2
  store i16 %c, ptr %out
  %d = load i64, ptr %p2
  store i64 %d, ptr %out
  %p3 = getelementptr i8, ptr %p2, i64 4
  %e = load i32, ptr %p3
  %f = load i8, ptr %p3
  store i8 %f, ptr %out
  %r = add i32 %e, %x
  ret i32 %r
}

define void @case_bytes_at_the_end(ptr %form, ptr %out) {
  %p1 = getelementptr i8, ptr %form, i64 12
  %a = load i32, ptr %p1
  store i32 %a, ptr %out
  %p2 = getelementptr i8, ptr %form, i64 13
  %b = load i32, ptr %p2
  store i32 %b, ptr %out
  %p3 = getelementptr i8, ptr %form, i64 16
  %c = load i8, ptr %p3
  store i8 %c, ptr %out
  %p4 = getelementptr i8, ptr %form, i64 -1
  %d = load i8, ptr %p4
  store i8 %d, ptr %out
  ret void
}

define void @case_other_loads(ptr %form, i64 %n, ptr %out) {
  %a = load volatile i32, ptr %form
  store i32 %a, ptr %out
  %b = load i128, ptr %form
  store i128 %b, ptr %out
  %c = load float, ptr %form
  store float %c, ptr %out
  %d = load <4 x i8>, ptr %form
  store <4 x i8> %d, ptr %out
  %p = getelementptr i32, ptr %form, i64 %n
  %e = load i32, ptr %p
  store i32 %e, ptr %out
  ret void
}

; ---- tables ----

define void @case_tables(ptr %form, i64 %n, ptr %out) {
  %a = load i32, ptr getelementptr (i8, ptr @words, i64 4)
  store i32 %a, ptr %out
  %w = load i32, ptr %form
  %z = and i32 %w, 3
  %i = zext i32 %z to i64
  %p1 = getelementptr [4 x i32], ptr @words, i64 0, i64 %i
  %b = load i32, ptr %p1
  store i32 %b, ptr %out
  %p2 = getelementptr [2 x %pair], ptr @pairs, i64 0, i64 0, i32 1
  %c = load i32, ptr %p2
  store i32 %c, ptr %out
  %p3 = getelementptr %pair, ptr @pairs, i64 0, i32 2, i64 1
  %d = load i16, ptr %p3
  store i16 %d, ptr %out
  %p4 = getelementptr %pair, ptr @pairs, i64 1, i32 2, i64 1
  %e = load i16, ptr %p4
  store i16 %e, ptr %out
  %f = load i64, ptr getelementptr ([3 x i64], ptr @zeros, i64 0, i64 2)
  store i64 %f, ptr %out
  %g = load i8, ptr @holes
  store i8 %g, ptr %out
  %p5 = getelementptr %pair, ptr getelementptr (%pair, ptr @pairs, i64 1), i64 -1, i32 0
  %h = load i8, ptr %p5
  store i8 %h, ptr %out
  ret void
}

define void @case_tables_unknown(ptr %form, i64 %n, ptr %out) {
  %a = load i32, ptr @floats
  store i32 %a, ptr %out
  %y = load i32, ptr getelementptr (i8, ptr @floats, i64 4)
  store i32 %y, ptr %out
  %b = load i64, ptr @wide
  store i64 %b, ptr %out
  %c = load i64, ptr @holes
  store i64 %c, ptr %out
  %d = load i64, ptr getelementptr ([3 x i64], ptr @zeros, i64 0, i64 3)
  store i64 %d, ptr %out
  %p = getelementptr [4 x i32], ptr @words, i64 0, i64 %n
  %e = load i32, ptr %p
  store i32 %e, ptr %out
  %q = getelementptr [2 x %pair], ptr @pairs, i64 0, i64 1
  store ptr %q, ptr %out
  %f = load i16, ptr @pairs
  store i16 %f, ptr %out
  %g = load i32, ptr getelementptr (i8, ptr @holes, i64 4)
  store i32 %g, ptr %out
  %h = load i8, ptr getelementptr (i8, ptr @padded, i64 2)
  store i8 %h, ptr %out
  ret void
}

; ---- branches ----

define i32 @case_branches(ptr %form, i32 %x, i1 %b) {
  %a = load i8, ptr %form
  %c = icmp eq i8 %a, 1
  br i1 %c, label %yes, label %no
yes:
  %d = icmp ugt i8 %a, 1
  br i1 %d, label %no, label %more
no:
  %u = mul i32 %x, 77
  br label %end
more:
  br i1 %b, label %left, label %right
left:
  br label %end
right:
  br label %end
end:
  %r = phi i32 [ %u, %no ], [ 5, %left ], [ %x, %right ]
  ret i32 %r
}

define i32 @case_meeting_with_one_value(ptr %form, i32 %x, i1 %b, ptr %out) {
  br i1 %b, label %left, label %right
left:
  store i32 1, ptr %out
  br label %end
right:
  store i32 2, ptr %out
  br label %end
end:
  %r = phi i32 [ 5, %right ], [ 5, %left ]
  %s = phi i32 [ %x, %left ], [ %x, %right ]
  %t = phi i32 [ %x, %left ], [ 7, %right ]
  %u = phi ptr [ %form, %left ], [ %form, %right ]
  %v = load i32, ptr %u
  %m = add i32 %r, %s
  %n = add i32 %m, %t
  %o = add i32 %n, %v
  ret i32 %o
}

define i32 @case_meeting_of_addresses(ptr %form, i1 %b, ptr %out) {
  %p = getelementptr i8, ptr %form, i64 4
  br i1 %b, label %left, label %end
left:
  store i32 1, ptr %out
  br label %end
end:
  %u = phi ptr [ %p, %left ], [ @words, %0 ]
  %v = load i32, ptr %u
  ret i32 %v
}

define i32 @case_meeting_of_places(ptr %form, i1 %b, ptr %out) {
  %p = getelementptr i8, ptr %form, i64 4
  br i1 %b, label %left, label %end
left:
  store i32 1, ptr %out
  br label %end
end:
  %u = phi ptr [ %p, %left ], [ %form, %0 ]
  %v = load i32, ptr %u
  ret i32 %v
}

define void @case_meeting_of_variables(ptr %form, i1 %b, ptr %out) {
  %v = alloca [2 x i32]
  %w = alloca [2 x i32]
  %p = getelementptr i8, ptr %v, i64 4
  %q = getelementptr i8, ptr %w, i64 4
  store i32 1, ptr %p
  store i32 2, ptr %q
  br i1 %b, label %left, label %end
left:
  store i32 3, ptr %out
  br label %end
end:
  %u = phi ptr [ %p, %left ], [ %q, %0 ]
  store i32 7, ptr %u
  %k = load i32, ptr %p
  store i32 %k, ptr %out
  %l = load i32, ptr %q
  store i32 %l, ptr %out
  ret void
}

define i32 @case_same_ways(ptr %form, i1 %b) {
  br i1 %b, label %end, label %end
end:
  %r = phi i32 [ 5, %0 ], [ 5, %0 ]
  ret i32 %r
}

define i32 @case_switches(ptr %form, i32 %x) {
  %a = load i8, ptr %form
  switch i8 %a, label %other [
    i8 0, label %zero
    i8 1, label %one
  ]
zero:
  br label %end
one:
  %p = getelementptr i8, ptr %form, i64 1
  %b = load i8, ptr %p
  switch i8 %b, label %last [
    i8 0, label %zero
    i8 1, label %other
  ]
last:
  switch i32 %x, label %other [
    i32 3, label %end
    i32 4, label %zero
    i32 5, label %end
  ]
other:
  br label %end
end:
  %r = phi i32 [ 100, %zero ], [ 200, %last ], [ 200, %last ], [ 300, %other ]
  ret i32 %r
}

; ---- calls ----

define internal i32 @twice(i32 %x) {
  %r = add i32 %x, %x
  ret i32 %r
}

define internal i32 @one_of(i1 %b, i32 %x) {
  br i1 %b, label %yes, label %no
yes:
  ret i32 %x
no:
  %r = call i32 @twice(i32 %x)
  ret i32 %r
}

define internal void @put(ptr %to, i32 %x) {
  store i32 %x, ptr %to
  ret void
}

define internal i32 @get(ptr %from) {
  %r = load i32, ptr %from
  ret i32 %r
}

define internal i32 @never(i32 %x) {
  unreachable
}

define internal void @ends(ptr %to) {
  store i32 3, ptr %to
  unreachable
}

define i32 @case_calls(ptr %form, i32 %x, i1 %b, ptr %out) {
  %v = alloca i32
  %w = load i32, ptr %form
  %k = call i32 @twice(i32 %w)
  %l = call i32 @one_of(i1 true, i32 %x)
  %m = call i32 @one_of(i1 false, i32 %x)
  %n = call i32 @one_of(i1 %b, i32 %x)
  call void @put(ptr %v, i32 %k)
  %o = call i32 @get(ptr %v)
  %p = getelementptr i8, ptr %form, i64 8
  %q = call i32 @get(ptr %p)
  call void @put(ptr %out, i32 %l)
  call void @put(ptr %out, i32 %m)
  call void @put(ptr %out, i32 %n)
  call void @put(ptr %out, i32 %o)
  ret i32 %q
}

define i32 @case_calls_that_do_not_return(ptr %form, i1 %b, ptr %out) {
  br i1 %b, label %one, label %two
one:
  call void @ends(ptr %out)
  store i32 4, ptr %out
  br label %two
two:
  %r = phi i32 [ 1, %0 ], [ 2, %one ]
  ret i32 %r
}

define i32 @case_never(ptr %form) {
  %r = call i32 @never(i32 1)
  ret i32 %r
}

define void @case_intrinsics(ptr %form, <4 x float> %x, i32 %n, ptr %out) {
  %r = call <4 x float> @llvm.fma.v4f32(<4 x float> %x, <4 x float> zeroinitializer, <4 x float> %x)
  store <4 x float> %r, ptr %out
  %a = call i32 @llvm.x86.sse.movmsk.ps(<4 x float> zeroinitializer)
  store i32 %a, ptr %out
  %b = call i32 @llvm.x86.sse2.movmsk.pd(<2 x double> zeroinitializer)
  store i32 %b, ptr %out
  %c = call i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8> zeroinitializer)
  store i32 %c, ptr %out
  %d = call i32 @llvm.x86.avx.movmsk.ps.256(<8 x float> zeroinitializer)
  store i32 %d, ptr %out
  %e = call i32 @llvm.x86.avx2.pmovmskb(<32 x i8> zeroinitializer)
  store i32 %e, ptr %out
  %f = call i32 @llvm.x86.sse.movmsk.ps(<4 x float> %x)
  store i32 %f, ptr %out
  %g = call i32 @llvm.ctpop.i32(i32 0)
  store i32 %g, ptr %out
  call void @llvm.donothing()
  ret void
}

define i32 @case_unknown_calls(ptr %form, i32 %x) {
  %r = call i32 @outside(i32 %x)
  ret i32 %r
}

define i32 @case_called_pointers(ptr %form, ptr %f, i32 %x) {
  %r = call i32 %f(i32 %x)
  ret i32 %r
}

define internal i32 @own_copy(ptr byval({ i32, i32 }) align 4 %pair) {
  %p = getelementptr i8, ptr %pair, i64 4
  %a = load i32, ptr %p
  store i32 9, ptr %p
  %b = load i32, ptr %p
  %r = mul i32 %a, %b
  ret i32 %r
}

define i32 @case_own_copies(ptr %form) {
  %p = getelementptr i8, ptr %form, i64 8
  %r = call i32 @own_copy(ptr byval({ i32, i32 }) align 4 %p)
  ret i32 %r
}

define internal void @again() {
  call void @again()
  ret void
}

define void @case_calls_itself(ptr %form) {
  call void @again()
  ret void
}

; ---- what is dropped ----

define i32 @case_dropped(ptr %form, i32 %x, i1 %b) {
  %v = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %v)
  call void @llvm.experimental.noalias.scope.decl(metadata !3)
  store i32 6, ptr %v
  call void @llvm.assume(i1 %b)
  %r = load i32, ptr %v
  call void @llvm.lifetime.end.p0(i64 4, ptr %v)
  %s = add i32 %r, %x
  ret i32 %s
}

define void @case_scopes(ptr %form, ptr %in, ptr %out) {
  %a = load i32, ptr %in, !alias.scope !3, !noalias !3, !range !6
  store i32 %a, ptr %out, !noalias !3, !nontemporal !7
  %b = load i32, ptr %in
  store i32 %b, ptr %out
  ret void
}

; ---- local variables ----

define void @case_variables(ptr %form, i32 %x, ptr %out) {
  %v = alloca [4 x i32]
  %p1 = getelementptr i8, ptr %v, i64 4
  %p2 = getelementptr i8, ptr %v, i64 8
  %p3 = getelementptr i8, ptr %v, i64 6
  store i32 11, ptr %v
  store i32 22, ptr %p1
  store i32 33, ptr %p2
  %a = load i32, ptr %v
  store i32 %a, ptr %out
  %b = load i32, ptr %p1
  store i32 %b, ptr %out
  %c = load i16, ptr %p1
  store i16 %c, ptr %out
  store i32 %x, ptr %p1
  %d = load i32, ptr %p1
  store i32 %d, ptr %out
  %e = load i32, ptr %p2
  store i32 %e, ptr %out
  store i32 44, ptr %p1
  store i16 5, ptr %p3
  %f = load i32, ptr %p1
  store i32 %f, ptr %out
  %g = load i16, ptr %p3
  store i16 %g, ptr %out
  %h = load i32, ptr %v
  store i32 %h, ptr %out
  %i = load i32, ptr %p2
  store i32 %i, ptr %out
  store i64 6, ptr %p1
  %j = load i32, ptr %p2
  store i32 %j, ptr %out
  %k = load i64, ptr %p1
  store i64 %k, ptr %out
  %l = load i32, ptr %v
  store i32 %l, ptr %out
  store float 1.0, ptr %v
  %m = load float, ptr %v
  store float %m, ptr %out
  %n = load i32, ptr %v
  store i32 %n, ptr %out
  ret void
}

define void @case_two_variables(ptr %form, i64 %n, ptr %out) {
  %v = alloca i32
  %w = alloca i32
  store i32 1, ptr %v
  store i32 2, ptr %w
  %a = load i32, ptr %v
  store i32 %a, ptr %out
  %p = getelementptr i32, ptr %w, i64 %n
  store i32 3, ptr %p
  %b = load i32, ptr %v
  store i32 %b, ptr %out
  %c = load i32, ptr %w
  store i32 %c, ptr %out
  store i32 4, ptr %w
  %d = load i32, ptr %w
  store i32 %d, ptr %out
  ret void
}

define void @case_exposed(ptr %form, i1 %b, <4 x i1> %m, ptr %out) {
  %v = alloca i32
  %w = alloca i32
  %x = alloca i32
  %y = alloca [4 x float]
  %z = alloca i32
  store i32 1, ptr %v
  store i32 2, ptr %w
  store i32 3, ptr %x
  store i32 4, ptr %y
  store i32 5, ptr %z
  store ptr %v, ptr %out
  %n = ptrtoint ptr %w to i64
  store i64 %n, ptr %out
  %o = select i1 %b, ptr %x, ptr %out
  store i32 7, ptr %o
  %q = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %y, i32 4, <4 x i1> %m, <4 x float> zeroinitializer)
  store <4 x float> %q, ptr %out
  %c = load i32, ptr %v
  store i32 %c, ptr %out
  %d = load i32, ptr %w
  store i32 %d, ptr %out
  %e = load i32, ptr %x
  store i32 %e, ptr %out
  %f = load i32, ptr %y
  store i32 %f, ptr %out
  %g = load i32, ptr %z
  store i32 %g, ptr %out
  store i32 6, ptr %v
  %h = load i32, ptr %v
  store i32 %h, ptr %out
  ret void
}

define void @case_copied_memory(ptr %form, i64 %n, ptr %in, ptr %out) {
  %v = alloca [4 x i32]
  %w = alloca [4 x i32]
  %p = getelementptr i8, ptr %v, i64 4
  %q = getelementptr i8, ptr %v, i64 8
  %s = getelementptr i8, ptr %v, i64 12
  store i32 1, ptr %v
  store i32 2, ptr %p
  store i32 3, ptr %q
  store i32 4, ptr %s
  store i32 5, ptr %w
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false)
  %a = load i32, ptr %v
  store i32 %a, ptr %out
  %b = load i32, ptr %p
  store i32 %b, ptr %out
  %c = load i32, ptr %q
  store i32 %c, ptr %out
  %d = load i32, ptr %s
  store i32 %d, ptr %out
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %w, i64 16, i1 false)
  %e = load i32, ptr %w
  store i32 %e, ptr %out
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %w, i64 %n, i1 false)
  %f = load i32, ptr %v
  store i32 %f, ptr %out
  %g = load i32, ptr %w
  store i32 %g, ptr %out
  store i32 6, ptr %v
  %h = load i32, ptr %v
  store i32 %h, ptr %out
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %in, i64 %n, i1 false)
  %i = load i32, ptr %v
  store i32 %i, ptr %out
  ret void
}

define i32 @case_variables_of_two_ways(ptr %form, i1 %b) {
  %v = alloca i32
  %w = alloca i32
  %x = alloca i32
  %y = alloca i32
  store i32 1, ptr %v
  store i32 2, ptr %w
  br i1 %b, label %left, label %right
left:
  store i32 3, ptr %w
  store i32 4, ptr %x
  store i32 5, ptr %y
  br label %end
right:
  store i32 6, ptr %w
  store i32 4, ptr %x
  br label %end
end:
  %k = load i32, ptr %v
  %l = load i32, ptr %w
  %m = load i32, ptr %x
  %n = load i32, ptr %y
  %o = mul i32 %k, %l
  %p = mul i32 %o, %m
  %q = mul i32 %p, %n
  ret i32 %q
}

define void @case_so_many_variables(ptr %form, ptr %out) {
  %v = alloca [32 x i8]
  %p01 = getelementptr i8, ptr %v, i64 1
  %p02 = getelementptr i8, ptr %v, i64 2
  %p03 = getelementptr i8, ptr %v, i64 3
  %p04 = getelementptr i8, ptr %v, i64 4
  %p05 = getelementptr i8, ptr %v, i64 5
  %p06 = getelementptr i8, ptr %v, i64 6
  %p07 = getelementptr i8, ptr %v, i64 7
  %p08 = getelementptr i8, ptr %v, i64 8
  %p09 = getelementptr i8, ptr %v, i64 9
  %p10 = getelementptr i8, ptr %v, i64 10
  %p11 = getelementptr i8, ptr %v, i64 11
  %p12 = getelementptr i8, ptr %v, i64 12
  %p13 = getelementptr i8, ptr %v, i64 13
  %p14 = getelementptr i8, ptr %v, i64 14
  %p15 = getelementptr i8, ptr %v, i64 15
  %p16 = getelementptr i8, ptr %v, i64 16
  %p17 = getelementptr i8, ptr %v, i64 17
  %p18 = getelementptr i8, ptr %v, i64 18
  %p19 = getelementptr i8, ptr %v, i64 19
  %p20 = getelementptr i8, ptr %v, i64 20
  %p21 = getelementptr i8, ptr %v, i64 21
  %p22 = getelementptr i8, ptr %v, i64 22
  %p23 = getelementptr i8, ptr %v, i64 23
  %p24 = getelementptr i8, ptr %v, i64 24
  store i8 0, ptr %v
  store i8 1, ptr %p01
  store i8 2, ptr %p02
  store i8 3, ptr %p03
  store i8 4, ptr %p04
  store i8 5, ptr %p05
  store i8 6, ptr %p06
  store i8 7, ptr %p07
  store i8 8, ptr %p08
  store i8 9, ptr %p09
  store i8 10, ptr %p10
  store i8 11, ptr %p11
  store i8 12, ptr %p12
  store i8 13, ptr %p13
  store i8 14, ptr %p14
  store i8 15, ptr %p15
  store i8 16, ptr %p16
  store i8 17, ptr %p17
  store i8 18, ptr %p18
  store i8 19, ptr %p19
  store i8 20, ptr %p20
  store i8 21, ptr %p21
  store i8 22, ptr %p22
  store i8 23, ptr %p23
  store i8 24, ptr %p24
  %a = load i8, ptr %v
  store i8 %a, ptr %out
  %b = load i8, ptr %p23
  store i8 %b, ptr %out
  %c = load i8, ptr %p24
  store i8 %c, ptr %out
  ret void
}

; ---- arithmetic ----

define void @case_folded(ptr %form, ptr %out) {
  %w = load i32, ptr %form
  %a = icmp ult i32 %w, 7
  store i1 %a, ptr %out
  %b = uitofp i32 %w to float
  %c = fcmp ogt float %b, 1.0
  store i1 %c, ptr %out
  %d = select i1 %c, i32 %w, i32 9
  store i32 %d, ptr %out
  %e = insertelement <4 x i32> zeroinitializer, i32 %w, i64 1
  %f = extractelement <4 x i32> %e, i64 1
  store i32 %f, ptr %out
  store <4 x i32> %e, ptr %out
  %g = freeze i32 %w
  store i32 %g, ptr %out
  %h = freeze i32 undef
  store i32 %h, ptr %out
  %i = sub i32 %w, 5
  store i32 %i, ptr %out
  %j = trunc i32 %w to i8
  store i8 %j, ptr %out
  %k = shufflevector <4 x i32> %e, <4 x i32> zeroinitializer, <4 x i32> <i32 1, i32 1, i32 4, i32 4>
  store <4 x i32> %k, ptr %out
  %l = fneg float %b
  store float %l, ptr %out
  %m = select i1 %c, <4 x i32> %e, <4 x i32> zeroinitializer
  store <4 x i32> %m, ptr %out
  %n = select <4 x i1> <i1 true, i1 false, i1 false, i1 true>, <4 x i32> %e, <4 x i32> splat (i32 9)
  store <4 x i32> %n, ptr %out
  ret void
}

define void @case_shortened(ptr %form, i32 %x, i1 %b, <4 x i32> %v, <4 x i1> %t, ptr %out) {
  %w = load i32, ptr %form
  %n = icmp eq i32 %w, 0
  %y = icmp ne i32 %w, 0
  %h = getelementptr i8, ptr %form, i64 12
  %o = load i32, ptr %h
  %z = add i32 %o, 1
  %c1 = and i32 %x, %z
  store i32 %c1, ptr %out
  %c2 = and i32 %z, %x
  store i32 %c2, ptr %out
  %c3 = and i32 %x, %o
  store i32 %c3, ptr %out
  %c4 = and i32 %o, %x
  store i32 %c4, ptr %out
  %c5 = or i32 %x, %z
  store i32 %c5, ptr %out
  %c6 = or i32 %z, %x
  store i32 %c6, ptr %out
  %c7 = or i32 %x, %o
  store i32 %c7, ptr %out
  %c8 = or i32 %o, %x
  store i32 %c8, ptr %out
  %c9 = mul i32 %x, %z
  store i32 %c9, ptr %out
  %d1 = mul i32 %z, %x
  store i32 %d1, ptr %out
  %d2 = mul i32 %x, %o
  store i32 %d2, ptr %out
  %d3 = xor i32 %x, %z
  store i32 %d3, ptr %out
  %d4 = and i32 %x, %w
  store i32 %d4, ptr %out
  %d5 = select i1 %y, i32 %x, i32 7
  store i32 %d5, ptr %out
  %d6 = select i1 %n, i32 7, i32 %x
  store i32 %d6, ptr %out
  %d7 = select i1 %b, i32 %z, i32 0
  store i32 %d7, ptr %out
  %d8 = select i1 %b, i32 %z, i32 %x
  store i32 %d8, ptr %out
  %d9 = select i1 %b, i32 %x, i32 %z
  store i32 %d9, ptr %out
  %e1 = select i1 %b, i32 %o, i32 %z
  store i32 %e1, ptr %out
  %e2 = and <4 x i32> %v, splat (i32 -1)
  store <4 x i32> %e2, ptr %out
  %e3 = and <4 x i32> %v, zeroinitializer
  store <4 x i32> %e3, ptr %out
  %e4 = or <4 x i32> %v, <i32 -1, i32 -1, i32 -1, i32 0>
  store <4 x i32> %e4, ptr %out
  %e5 = select <4 x i1> splat (i1 true), <4 x i32> %v, <4 x i32> zeroinitializer
  store <4 x i32> %e5, ptr %out
  %e6 = select <4 x i1> zeroinitializer, <4 x i32> %v, <4 x i32> splat (i32 7)
  store <4 x i32> %e6, ptr %out
  %e7 = select <4 x i1> %t, <4 x i32> %v, <4 x i32> zeroinitializer
  store <4 x i32> %e7, ptr %out
  %e8 = and i1 %b, %y
  store i1 %e8, ptr %out
  %e9 = add i32 %x, %z
  store i32 %e9, ptr %out
  ret void
}

define void @case_addresses_chosen(ptr %form, i1 %b, ptr %out) {
  %v = alloca i32
  store i32 8, ptr %v
  %w = load i8, ptr %form
  %k = icmp eq i8 %w, 1
  %p = select i1 %k, ptr %v, ptr %out
  %a = load i32, ptr %p
  store i32 %a, ptr %out
  %c = icmp eq ptr %v, %out
  store i1 %c, ptr %out
  %d = load i32, ptr %v
  store i32 %d, ptr %out
  ret void
}

; ---- loops ----

define i32 @case_unrolled(ptr %form, i32 %x, ptr %out) {
  %p = getelementptr i8, ptr %form, i64 2
  %n = load i8, ptr %p
  br label %head
head:
  %i = phi i8 [ 0, %0 ], [ %j, %body ]
  %s = phi i32 [ %x, %0 ], [ %t, %body ]
  %c = icmp ult i8 %i, %n
  br i1 %c, label %body, label %end
body:
  %q = zext i8 %i to i64
  %a = getelementptr i32, ptr @words, i64 %q
  %w = load i32, ptr %a
  %t = mul i32 %s, %w
  %j = add i8 %i, 1
  br label %head, !llvm.loop !0
end:
  %r = add i32 %s, 1
  ret i32 %r
}

define i32 @case_rolled(ptr %form, i32 %x) {
  %v = alloca i32
  %n = load i32, ptr %form
  store i32 1, ptr %v
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %j, %body ]
  %s = phi i32 [ %x, %0 ], [ %t, %body ]
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %end
body:
  %u = load i32, ptr %v
  store i32 2, ptr %v
  %w = load i32, ptr %v
  %m = add i32 %u, %w
  %t = mul i32 %s, %m
  %j = add i32 %i, 1
  br label %head, !llvm.loop !4
end:
  %k = load i32, ptr %v
  %r = add i32 %s, %k
  ret i32 %r
}

define i32 @case_rolled_with_two_ways_back(ptr %form, i32 %x, i1 %b) {
  br label %head
head:
  %i = phi i32 [ 7, %0 ], [ %j, %body ], [ %l, %other ]
  %k = phi ptr [ %form, %0 ], [ @words, %body ], [ @zeros, %other ]
  %w = load i32, ptr %k
  %c = icmp ult i32 %i, %w
  br i1 %c, label %body, label %end
body:
  %j = add i32 %i, 1
  br i1 %b, label %head, label %other
other:
  %l = add i32 %j, 5
  br label %head
end:
  ret i32 %i
}

define i32 @case_nested(ptr %form, i32 %x) {
  br label %outer
outer:
  %i = phi i32 [ 0, %0 ], [ %n, %next ]
  %s = phi i32 [ 1, %0 ], [ %v, %next ]
  %c = icmp ult i32 %i, %x
  br i1 %c, label %inner, label %end
inner:
  %j = phi i32 [ 0, %outer ], [ %k, %inner ]
  %t = phi i32 [ %s, %outer ], [ %u, %inner ]
  %u = mul i32 %t, 3
  %k = add i32 %j, 1
  %d = icmp ult i32 %k, 2
  br i1 %d, label %inner, label %next, !llvm.loop !0
next:
  %v = phi i32 [ %u, %inner ]
  %n = add i32 %i, 1
  br label %outer
end:
  ret i32 %s
}

define i32 @case_nested_unrolled(ptr %form, i32 %x) {
  br label %outer
outer:
  %i = phi i32 [ 0, %0 ], [ %n, %next ]
  %s = phi i32 [ %x, %0 ], [ %v, %next ]
  %c = icmp ult i32 %i, 2
  br i1 %c, label %inner, label %end
inner:
  %j = phi i32 [ 0, %outer ], [ %k, %inner ]
  %t = phi i32 [ %s, %outer ], [ %u, %inner ]
  %u = mul i32 %t, 3
  %k = add i32 %j, 1
  %d = icmp ult i32 %k, %x
  br i1 %d, label %inner, label %next
next:
  %v = phi i32 [ %u, %inner ]
  %n = add i32 %i, 1
  br label %outer, !llvm.loop !0
end:
  ret i32 %s
}

define i32 @case_turns_64(ptr %form, i32 %x) {
  br label %head
head:
  %i = phi i32 [ 1, %0 ], [ %j, %head ]
  %j = add i32 %i, 1
  %c = icmp ult i32 %i, 64
  br i1 %c, label %head, label %end, !llvm.loop !0
end:
  ret i32 %j
}

define i32 @case_turns_65(ptr %form, i32 %x) {
  br label %head
head:
  %i = phi i32 [ 1, %0 ], [ %j, %head ]
  %j = add i32 %i, 1
  %c = icmp ult i32 %i, 65
  br i1 %c, label %head, label %end, !llvm.loop !0
end:
  ret i32 %j
}

define i32 @case_properties_16(ptr %form, i32 %x) {
  br label %head
head:
  %i = phi i32 [ 1, %0 ], [ %j, %head ]
  %j = add i32 %i, 1
  %c = icmp ult i32 %i, 2
  br i1 %c, label %head, label %end, !llvm.loop !9
end:
  ret i32 %j
}

define i32 @case_properties_17(ptr %form, i32 %x) {
  br label %head
head:
  %i = phi i32 [ 1, %0 ], [ %j, %head ]
  %j = add i32 %i, 1
  %c = icmp ult i32 %i, 2
  br i1 %c, label %head, label %end, !llvm.loop !10
end:
  ret i32 %j
}

; What a turn used is exposed behind it: the next turn would see it otherwise.
define void @case_exposed_in_a_loop(ptr %form, i1 %b, ptr %out) {
  %v = alloca i32
  br label %head
head:
  store i32 1, ptr %v
  %a = load i32, ptr %v
  store i32 %a, ptr %out
  store ptr %v, ptr %out
  br i1 %b, label %head, label %end
end:
  ret void
}

define void @case_exposed_in_a_loop_unused(ptr %form, i1 %b, ptr %out) {
  %v = alloca i32
  store i32 1, ptr %v
  %a = load i32, ptr %v
  store i32 %a, ptr %out
  br label %head
head:
  store ptr %v, ptr %out
  %c = load i32, ptr %v
  store i32 %c, ptr %out
  br i1 %b, label %head, label %end
end:
  ret void
}

define void @case_exposed_behind_a_loop(ptr %form, i1 %b, ptr %out) {
  %v = alloca i32
  br label %head
head:
  store i32 1, ptr %v
  %a = load i32, ptr %v
  store i32 %a, ptr %out
  br i1 %b, label %head, label %end
end:
  store ptr %v, ptr %out
  %c = load i32, ptr %v
  store i32 %c, ptr %out
  ret void
}

define i32 @case_endless(ptr %form, ptr %out) {
  br label %head
head:
  store i32 1, ptr %out
  br label %head
}

; ---- functions ----

define i32 @case_16_parameters(ptr %form, i32 %a, i32 %b, i32 %c, i32 %d, i32 %e, i32 %f, i32 %g, i32 %h, i32 %i, i32 %j, i32 %k, i32 %l, i32 %m, i32 %n, i32 %o) "target-cpu"="x86-64" "target-features"="+avx" "other"="lost" {
  %r = add i32 %a, %o
  ret i32 %r
}

define i32 @case_17_parameters(ptr %form, i32 %a, i32 %b, i32 %c, i32 %d, i32 %e, i32 %f, i32 %g, i32 %h, i32 %i, i32 %j, i32 %k, i32 %l, i32 %m, i32 %n, i32 %o, i32 %p) {
  %r = add i32 %a, %p
  ret i32 %r
}

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.unroll.full"}
!3 = !{!5}
!4 = distinct !{!4, !1}
!5 = distinct !{!5, !8}
!6 = !{i32 0, i32 9}
!7 = !{i32 1}
!8 = distinct !{!8}
!9 = distinct !{!9, !1, !1, !1, !1, !1, !1, !1, !1, !1, !1, !1, !1, !1, !1, !2}
!10 = distinct !{!10, !1, !1, !1, !1, !1, !1, !1, !1, !1, !1, !1, !1, !1, !1, !1, !2}
